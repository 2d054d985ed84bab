"""What goes wrong before a first query, with a real Spark and the local cluster: python -m unittest traps.

Each trap is a process of its own, because a JVM keeps what it was started with.
"""

from __future__ import annotations

import os
import subprocess
import sys
import unittest
from pathlib import Path

LIMIT_SECONDS = 180
STOCK = "from pyspark.sql import SparkSession; s = SparkSession.builder.master('local[1]').getOrCreate()"


def told(program: str, **environment: str) -> str:
    """Return what the program's last expression said, which has to be a BoltError."""
    lines = program.split("\n")
    watched = "\n".join(
        [
            "import boltshuffle",
            *lines[:-1],
            "try:",
            f"    {lines[-1]}",
            "except boltshuffle.BoltError as e:",
            "    print(e)",
            "else:",
            "    print('no error')",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", watched],
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        env={**os.environ, **environment},
        check=False,
    )
    return done.stdout.strip() or done.stderr


class TrapsTest(unittest.TestCase):
    def test_a_stock_session_is_never_taken_for_ours(self):
        self.assertIn("without boltshuffle", told(f"{STOCK}\nboltshuffle.session()"))

    def test_the_jvm_of_a_stopped_stock_session_is_not_used(self):
        self.assertIn("restart the kernel", told(f"{STOCK}\ns.stop()\nboltshuffle.session()"))

    def test_the_picture_of_a_stock_session_is_refused(self):
        self.assertIn("no tab Boltshuffle", told(f"{STOCK}\nboltshuffle.status(s)"))

    def test_a_jar_that_is_not_there(self):
        self.assertIn("there is no file", told("boltshuffle.session()", BOLT_PLUGIN_JAR="/nowhere.jar"))

    def test_a_jar_of_something_else(self):
        import pyspark

        other = str(next(Path(pyspark.__file__).parent.glob("jars/py4j-*.jar")))
        self.assertIn("is not the plugin's jar", told("boltshuffle.session()", BOLT_PLUGIN_JAR=other))

    def test_more_memory_than_a_worker_has(self):
        self.assertIn("no worker of", told("boltshuffle.session(spark_executor_memory='900g')"))

    def test_a_master_that_does_not_answer(self):
        self.assertIn("no master answers", told("boltshuffle.session('spark://127.0.0.1:9')"))

    def test_a_cluster_that_another_notebook_fills_is_named_within_the_time(self):
        second = "print(subprocess.run([sys.executable, '-c', other], capture_output=True, text=True).stdout)"
        program = "\n".join(
            [
                "import subprocess, sys",
                "first = boltshuffle.session(app_name='the first')",
                # It keeps its executors.
                "rows = first.range(1000).repartition(4).cache()",
                "rows.count()",
                "other = '''import boltshuffle",
                "try: boltshuffle.session(timeout=5)",
                "except boltshuffle.BoltError as e: print(e)'''",
                second,
            ]
        )
        said = told(program)
        self.assertIn("gave no executor within 5 s", said)
        self.assertIn("the first", said)

    def test_after_stop_the_same_process_gets_another_session(self):
        program = "boltshuffle.session().stop()\nprint(boltshuffle.session().range(10).repartition(2).count())"
        self.assertRegex(told(program), r"^10\b")
