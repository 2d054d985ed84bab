"""Two notebooks on a local cluster with two cores and 2 GiB for each host: python -m unittest two_notebooks."""

from __future__ import annotations

import unittest

from front_end import JOIN, LEAST_SHARE, Kernel

# A host's half for each.
SESSION = """
import boltshuffle
spark = boltshuffle.session(spark_executor_memory="1g", spark_executor_cores=1, spark_cores_max=2)
"""


class TwoNotebooksTest(unittest.TestCase):
    def test_two_at_once_both_go_by_rdma(self):
        kernels = [Kernel(), Kernel()]
        for kernel in kernels:
            self.addCleanup(kernel.end)
        for source in (SESSION, JOIN):
            requests = [kernel.begin(source) for kernel in kernels]
            cells = [kernel.finish(request) for kernel, request in zip(kernels, requests)]
            self.assertEqual(["", ""], [cell.error for cell in cells], [cell.text for cell in cells])
        self.assertEqual(["200000"] * 2, [cell.result["text/plain"] for cell in cells])
        for kernel in kernels:
            rdma, tcp = kernel.await_bytes()
            self.assertGreaterEqual(rdma, LEAST_SHARE * (rdma + tcp))
