"""The node agents of the local cluster."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

BOLT = Path(__file__).parents[2] / "bin" / "bolt"


@contextlib.contextmanager
def stopped_agents() -> Iterator[None]:
    """End the agents of the local cluster, then start others in the same way, which the end of this module ends."""
    status = subprocess.run([BOLT, "cluster", "status"], capture_output=True, text=True, check=True, timeout=60).stdout
    found = [int(line.split()[1]) for line in status.splitlines() if line.startswith("process") and " agent-" in line]
    if not found:
        raise AssertionError(f"no agents in {status}")
    commands = []
    for process in found:
        place = Path("/proc", str(process))
        environment = dict(one.split("=", 1) for one in (place / "environ").read_text().split("\0") if one)
        commands.append(((place / "cmdline").read_text().split("\0")[:-1], environment))
        os.kill(process, signal.SIGTERM)
    for process in found:
        await_end(process)
    try:
        yield
    finally:
        for command, environment in commands:
            agent = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            unittest.addModuleCleanup(end_process, agent)


def await_end(process: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.1)
    raise AssertionError(f"agent {process} does not end")


def end_process(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(timeout=30)
