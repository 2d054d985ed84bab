"""Kinds of work on stock Spark in one process, then over the local cluster: answers have to be equal.

compare.py stock FILE writes the answers; compare.py bolt FILE compares its own with them, and looks at its
share by RDMA. Two processes, because a JVM that was started without the plugin cannot load it any more.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import kinds
from pyspark.sql import SparkSession

import boltshuffle

LEAST_SHARE = 0.9
REPORT_SECONDS = 60


def main(way: str, file: Path) -> str | None:
    """Run all kinds; returns what to exit with."""
    if way == "stock":
        os.environ["PYSPARK_PYTHON"] = sys.executable
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    else:
        spark = boltshuffle.session()
    kinds.prepare(spark)
    answers = {}
    for kind in kinds.KINDS:
        begin = time.monotonic()
        # To JSON and back, so that tuples and lists are equal.
        answers[kind.__name__] = json.loads(json.dumps(kind(spark), default=str))
        print(
            f"{way} {kind.__name__}: {len(answers[kind.__name__])} rows, {time.monotonic() - begin:.1f} s", flush=True
        )
    if way == "stock":
        file.write_text(json.dumps(answers))
        spark.stop()
        return None
    # Executors report after their tasks.
    deadline = time.monotonic() + REPORT_SECONDS
    while (boltshuffle.status(spark).rdma_share or 0) < LEAST_SHARE and time.monotonic() < deadline:
        time.sleep(1)
    shown = boltshuffle.status(spark)
    print(shown)
    spark.stop()
    if (shown.rdma_share or 0) < LEAST_SHARE:
        return f"less than {LEAST_SHARE:.0%} went by RDMA"
    expected = json.loads(file.read_text())
    different = [name for name, answer in answers.items() if answer != expected[name] or not answer]
    print(f"{len(answers) - len(different)} of {len(answers)} kinds of work gave the answers of stock Spark")
    return f"other answers than stock Spark's: {', '.join(different)}" if different else None


sys.exit(main(sys.argv[1], Path(sys.argv[2])))
