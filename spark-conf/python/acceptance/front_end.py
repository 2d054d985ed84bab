"""A kernel of Jupyter's and a front end for it, and what its cells are made of."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

LIMIT_SECONDS = 200
LEAST_SHARE = 0.9
FIRST_CELL = Path(__file__).parents[2] / "profiles" / "jupyter-cell.py"
JOIN = """
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
numbers = spark.range(0, 200_000, 1, 4)
numbers.join(numbers.selectExpr("id", "id * 3 AS triple"), "id").count()
"""
# Executors report after their tasks, each on its own: the figures are those that stay for some seconds.
AWAIT_BYTES = """
import time
seen = []
for _ in range(90):
    told = boltshuffle.status(spark)
    seen.append((told.rdma_bytes, told.tcp_bytes))
    if sum(seen[-1]) > {before} and len(seen) > 5 and len(set(seen[-5:])) == 1:
        break
    time.sleep(1)
print(*seen[-1])
"""


@dataclass
class Cell:
    """What a cell put out, as a front end would have it at its end."""

    text: str = ""
    error: str = ""
    shown: dict[str, dict[str, Any]] = field(default_factory=dict)
    result: dict[str, Any] = field(default_factory=dict)
    #: All that one display said in turn.
    said: list[str] = field(default_factory=list)


class Kernel:
    """A kernel and its front end."""

    def __init__(self) -> None:
        self.manager = KernelManager(kernel_name="python3")
        # What a kernel says beside its cells is that of their cells again.
        self.manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._connect()

    def _connect(self) -> None:
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def begin(self, source: str) -> str:
        return self.client.execute(source)

    def finish(self, request: str, seconds: float = LIMIT_SECONDS) -> Cell:
        cell = Cell()
        deadline = time.monotonic() + seconds
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            content = message["content"]
            kind = message["msg_type"]
            if kind in ("display_data", "update_display_data") and "display_id" in content.get("transient", {}):
                # An update is shown where the display is, whichever cell it comes from.
                cell.shown[content["transient"]["display_id"]] = content["data"]
                cell.said.append(content["data"]["text/plain"])
            if message["parent_header"].get("msg_id") != request:
                continue
            if kind == "stream":
                cell.text += content["text"]
            elif kind == "execute_result":
                cell.result = content["data"]
            elif kind == "error":
                cell.error = f"{content['ename']}: {content['evalue']}"
            elif kind == "status" and content["execution_state"] == "idle":
                return cell

    def run(self, source: str) -> Cell:
        cell = self.finish(self.begin(source))
        if cell.error:
            raise AssertionError(f"{source}\n{cell.text}\n{cell.error}")
        return cell

    def await_bytes(self, before: int = 0) -> tuple[int, int]:
        """Return the bytes by RDMA and by TCP as soon as there are more than before."""
        rdma, tcp = self.run(AWAIT_BYTES.format(before=before)).text.split("\n")[-2].split()
        return int(rdma), int(tcp)

    def interrupt(self) -> None:
        self.manager.interrupt_kernel()

    def restart(self) -> None:
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self._connect()

    def end(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
