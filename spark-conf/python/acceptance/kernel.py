"""A kernel of Jupyter's with the local cluster: python -m unittest kernel. Each test has a kernel of its own.

BOLT_PICTURE names a file for what %bolt shows, if it is set.
"""

from __future__ import annotations

import os
import sys
import time
import unittest
from pathlib import Path

from agents import stopped_agents
from front_end import FIRST_CELL, JOIN, LEAST_SHARE, Kernel

# Four tasks of some 15 seconds, on two cores.
SLOW = """
def slow(number):
    import time
    time.sleep(15)
    return number
"""
LONG = SLOW + "spark.sparkContext.parallelize(range(4), 4).map(slow).sum()"
ACTIVE_JOBS = "print(list(spark.sparkContext.statusTracker().getActiveJobsIds()))"
THREADS = "import threading; print(sum('boltshuffle' in one.name for one in threading.enumerate()))"
BACKGROUND = f"""{SLOW}
import threading

sums = []
work = lambda: sums.append(spark.sparkContext.parallelize(range(4), 4).map(slow).sum())
background = threading.Thread(target=work)
background.start()
stream = spark.readStream.format("rate").load().writeStream.format("noop").start()
"""


class KernelTest(unittest.TestCase):
    def setUp(self):
        self.kernel = Kernel()
        self.addCleanup(self.kernel.end)

    def session(self) -> None:
        self.assertIn("Spark", self.kernel.run(FIRST_CELL.read_text()).text)

    def assert_by_rdma(self) -> None:
        self.assertEqual("200000", self.kernel.run(JOIN).result["text/plain"])
        rdma, tcp = self.kernel.await_bytes()
        self.assertGreaterEqual(rdma, LEAST_SHARE * (rdma + tcp))

    def test_the_picture_under_a_cell_shows_the_share(self):
        self.session()
        self.assert_by_rdma()
        shown = self.kernel.run("%bolt").result
        self.assertIn("% of", shown["text/plain"])
        self.assertIn("by RDMA", shown["text/html"])
        self.assertIn("'rdmaShare'", self.kernel.run("%bolt json").result["text/plain"])
        if "BOLT_PICTURE" in os.environ:
            Path(os.environ["BOLT_PICTURE"]).write_text(shown["text/html"])

    def test_a_line_shows_how_far_a_long_cell_is_and_ends_with_it(self):
        self.session()
        cell = self.kernel.run(LONG)
        self.assertEqual(1, len(cell.shown), cell.said)
        self.assertRegex(cell.said[0], r"^stage \d+: 0 of 4 tasks$")
        self.assertTrue(any("2 of 4 tasks" in text for text in cell.said), cell.said)
        self.assertEqual("", next(iter(cell.shown.values()))["text/plain"])
        self.assertNotIn("[Stage", cell.text)
        self.assertEqual({}, self.kernel.run("import time; time.sleep(4)").shown)
        # That of the cell that asks.
        self.assertEqual("1\n", self.kernel.run(THREADS).text)

    def test_sparks_own_line_takes_the_place_of_ours_if_it_is_asked_for(self):
        self.kernel.run("import boltshuffle; spark = boltshuffle.session(spark_ui_showConsoleProgress=True)")
        cell = self.kernel.run(LONG)
        self.assertEqual({}, cell.shown)
        self.assertIn("[Stage", cell.text)

    def test_an_interrupted_cell_ends_its_job_and_the_next_goes_by_rdma(self):
        self.session()
        request = self.kernel.begin(LONG)
        self.await_job()
        self.kernel.interrupt()
        # On a busy machine also that of a call to the JVM, which the interrupt broke.
        self.assertRegex(self.kernel.finish(request).error, "KeyboardInterrupt|Py4JNetworkError")
        self.await_no_job()
        self.assert_by_rdma()

    def test_what_runs_in_the_background_outlives_an_interrupted_cell(self):
        self.session()
        self.kernel.run(BACKGROUND)
        request = self.kernel.begin("import time; time.sleep(100)")
        self.await_job()
        self.kernel.interrupt()
        self.assertIn("KeyboardInterrupt", self.kernel.finish(request).error)
        self.assertEqual("6\n", self.kernel.run("background.join(); print(sums[0])").text)
        self.assertEqual("True None\n", self.kernel.run("print(stream.isActive, stream.exception())").text)

    def test_after_a_restart_of_the_kernel_the_same_cells_go_by_rdma(self):
        self.session()
        self.assert_by_rdma()
        self.kernel.restart()
        self.session()
        self.assert_by_rdma()

    def test_after_stop_the_same_kernel_gets_another_session_by_rdma(self):
        self.session()
        self.assert_by_rdma()
        self.kernel.run("spark.stop()")
        self.session()
        self.assert_by_rdma()

    @unittest.skipUnless(sys.platform == "linux", "agents are started again from what /proc says of them")
    def test_without_agents_cells_go_by_tcp_and_with_agents_by_rdma_again(self):
        self.session()
        self.assert_by_rdma()
        rdma, tcp = self.kernel.await_bytes()
        with stopped_agents():
            self.assertEqual("200000", self.kernel.run(JOIN).result["text/plain"])
            after_rdma, after_tcp = self.kernel.await_bytes(rdma + tcp)
            self.assertEqual(rdma, after_rdma)
            self.assertGreater(after_tcp, tcp)
            self.assertIn("by TCP:", self.kernel.run("print(boltshuffle.status(spark))").text)
        # Executors look for their agent again after a moment.
        again = after_rdma
        deadline = time.monotonic() + 90
        while again == after_rdma and time.monotonic() < deadline:
            before = sum(self.kernel.await_bytes())
            self.assertEqual("200000", self.kernel.run(JOIN).result["text/plain"])
            again, _ = self.kernel.await_bytes(before)
        self.assertGreater(again, after_rdma)

    def await_no_job(self) -> None:
        """Return once Spark counts no job: it ends an interrupted one when its scheduler comes to it."""
        deadline = time.monotonic() + 60
        while self.kernel.run(ACTIVE_JOBS).text != "[]\n":
            self.assertLess(time.monotonic(), deadline, "the interrupted cell's job goes on")
            time.sleep(0.2)

    def await_job(self) -> None:
        """Return once the front end has heard of a stage."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            message = self.kernel.client.get_iopub_msg(timeout=60)
            if message["msg_type"] == "display_data" and "stage" in message["content"]["data"]["text/plain"]:
                return
        self.fail("no stage has begun")
