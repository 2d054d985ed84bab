"""What goes wrong before a first query, with a real Spark and the local cluster: python -m unittest traps.

Each trap is a process of its own, because a JVM keeps what it was started with. The traps that a user of PySpark meets,
and the tests that stand for them; those without a place are here:

    Spark of another release than PySpark    PythonSparkTest (aPysparkOfAnotherLineIsRefused, ...),
                                             tests.test_plan (test_a_local_cluster_of_another_release_is_refused, ...),
                                             test_bolt_spark_submit_takes_the_spark_of_pip
    a Python without pyspark                 PythonSparkTest.withoutPysparkTheUserLearnsHowToGetIt,
                                             test_bolt_spark_submit_by_a_python_without_pyspark
    no variable is set                       kernel.test_the_picture_under_a_cell_shows_the_share
    a jar or a profile that is not there     test_a_jar_that_is_not_there, test_a_jar_of_something_else,
                                             test_a_profile_that_is_not_there
    a stock session, running or stopped      test_a_stock_session_is_never_taken_for_ours,
                                             test_the_jvm_of_a_stopped_stock_session_is_not_used,
                                             test_the_picture_of_a_stock_session_is_refused
    a stock session after ours               test_a_builder_of_a_later_session_keeps_the_plugin
    executors with another Python            test_executors_run_the_python_of_the_notebook
    a profile that the workers cannot meet   test_more_memory_than_a_worker_has, test_the_profile_for_a_cluster_as_it_is
    a cluster that others fill               test_a_cluster_that_another_notebook_fills_is_named_within_the_time,
                                             two_notebooks.test_two_at_once_both_go_by_rdma
    an interrupted cell whose job goes on    kernel.test_an_interrupted_cell_ends_its_job_and_the_next_goes_by_rdma
    memory of Python on local[*]             test_one_process_takes_no_memory_limits_from_a_profile
    a kernel restarted, a session stopped    kernel.test_after_a_restart_of_the_kernel_the_same_cells_go_by_rdma,
                                             kernel.test_after_stop_the_same_kernel_gets_another_session_by_rdma
    agents away, then back                   kernel.test_without_agents_cells_go_by_tcp_and_with_agents_by_rdma_again
    executors given back                     test_executors_that_were_given_back_come_again
    RDMA switched off                        test_with_rdma_switched_off_all_goes_by_tcp
    the profile for one machine              test_the_profile_for_one_machine_as_it_is
    a master that does not answer            test_a_master_that_does_not_answer
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LIMIT_SECONDS = 180
PROFILES = Path(__file__).parents[2] / "profiles"
BOLT = Path(__file__).parents[2] / "bin" / "bolt"
# A join and its answer; then what a status says as soon as it knows of bytes from other hosts.
JOIN = """
def join(spark):
    spark.conf.set('spark.sql.autoBroadcastJoinThreshold', '-1')
    numbers = spark.range(0, 20_000, 1, 4)
    print('rows', numbers.join(numbers.selectExpr('id', 'id * 3 AS triple'), 'id').count())

def told(spark, awaited):
    import time
    for _ in range(60):
        shown = boltshuffle.status(spark)
        if getattr(shown, awaited):
            break
        time.sleep(1)
    print('rdma', shown.rdma_bytes > 0, 'tcp', shown.tcp_bytes > 0)
    print(shown)

def executors(spark, least, most):
    import time
    for _ in range(90):
        count = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
        if least <= count <= most:
            break
        time.sleep(1)
    print('executors', count)
"""
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
    done = run_python(watched, **environment)
    return done.stdout.strip() or done.stderr


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        env={**os.environ, **environment},
        check=False,
    )


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

    def test_a_profile_that_is_not_there(self):
        self.assertIn("cannot be read", told("boltshuffle.session()", BOLT_PROFILE="nowhere.conf"))

    def test_the_profile_for_a_cluster_as_it_is(self):
        profile = str(PROFILES / "notebook-cluster.conf")
        self.assertIn(
            "spark.executor.memory is 24g, and no worker", told("boltshuffle.session()", BOLT_PROFILE=profile)
        )

    def test_the_profile_for_one_machine_as_it_is(self):
        profile = str(PROFILES / "notebook-local-cluster.conf")
        said = told(f"{JOIN}\njoin(boltshuffle.session(profile={profile!r}))")
        self.assertTrue(said.startswith("rows 20000"), said)

    def test_one_process_takes_no_memory_limits_from_a_profile(self):
        profile = str(PROFILES / "notebook-cluster.conf")
        work = "spark.sparkContext.parallelize(range(4), 2).map(lambda number: number + 1).sum()"
        program = f"spark = boltshuffle.session('local[2]', {profile!r})\nprint({work})"
        done = run_python(f"import boltshuffle\n{program}")
        self.assertEqual("10\n", done.stdout, done.stderr)
        self.assertNotIn("mem limits", done.stderr)

    def test_a_builder_of_a_later_session_keeps_the_plugin(self):
        program = "\n".join(
            [
                "boltshuffle.session().stop()",
                "from pyspark.sql import SparkSession",
                "spark = SparkSession.builder.getOrCreate()",
                "print(spark.sparkContext.getConf().get('spark.shuffle.manager'))",
            ]
        )
        self.assertIn("io.boltshuffle.spark.BoltShuffleManager", told(program))

    def test_executors_run_the_python_of_the_notebook(self):
        where = "spark.sparkContext.parallelize(range(2), 2).map(lambda number: __import__('sys').executable)"
        said = told(f"spark = boltshuffle.session()\nprint(set({where}.collect()))")
        self.assertTrue(said.startswith(repr({sys.executable})), said)

    def test_executors_that_were_given_back_come_again(self):
        settings = {
            "spark.dynamicAllocation.executorIdleTimeout": "3s",
            "spark.dynamicAllocation.shuffleTracking.timeout": "3s",
        }
        program = "\n".join(
            [
                JOIN,
                f"spark = boltshuffle.session(**{settings!r})",
                "join(spark)",
                "executors(spark, 0, 0)",
                # Blocks of an executor that has only just come may go by TCP.
                "join(spark)",
                "join(spark)",
                "told(spark, 'rdma_bytes')",
            ]
        )
        said = told(program).splitlines()
        self.assertEqual(["rows 20000", "executors 0", "rows 20000", "rows 20000"], said[:4], said)
        self.assertIn("rdma True", said[4], said)

    def test_with_rdma_switched_off_all_goes_by_tcp(self):
        session = "spark = boltshuffle.session(spark_boltshuffle_enabled=False)"
        program = f"{JOIN}\n{session}\njoin(spark)\ntold(spark, 'tcp_bytes')"
        self.assertEqual(["rows 20000", "rdma False tcp True"], told(program).splitlines()[:2])

    def test_bolt_spark_submit_takes_the_spark_of_pip(self):
        import pyspark

        with tempfile.TemporaryDirectory() as directory:
            job = Path(directory, "job.py")
            job.write_text(
                "from pyspark.sql import SparkSession\n"
                "spark = SparkSession.builder.getOrCreate()\n"
                "pairs = spark.sparkContext.parallelize(range(100), 4).map(lambda number: (number % 2, number))\n"
                "print(spark.version, sorted(pairs.reduceByKey(lambda one, two: one + two).collect()))\n"
            )
            done = subprocess.run(
                [BOLT, "spark-submit", job],
                capture_output=True,
                text=True,
                timeout=LIMIT_SECONDS,
                env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
                check=False,
            )
        self.assertIn(f"{pyspark.__version__} [(0, 2450), (1, 2500)]", done.stdout, done.stderr)

    def test_bolt_spark_submit_by_a_python_without_pyspark(self):
        bare = Path(sys.base_prefix, "bin", "python3")
        done = subprocess.run(
            [BOLT, "spark-submit", "job.py"],
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            env={**os.environ, "PYSPARK_PYTHON": str(bare), "PYTHONNOUSERSITE": "1"},
            check=False,
        )
        self.assertIn("has no pyspark: pip install pyspark==", done.stderr)

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
