"""What needs the whole Spark that pip brings on every host, MLlib and Connect: python -m unittest whole_spark.

The local cluster has to be one of that Spark: SPARK_HOME=.../site-packages/pyspark bolt cluster start.
BOLT_CLIENT names a Python that has pyspark-client and no Spark.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import boltshuffle

BOLT = Path(__file__).parents[2] / "bin" / "bolt"
LIMIT_SECONDS = 120
LEAST_SHARE = 0.9
# A program of its own, because by python -c the client takes itself for one of its tests, and looks for a Spark.
CLIENT = Path(__file__).with_name("connect_client.py")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class WholeSparkTest(unittest.TestCase):
    def assert_by_rdma(self, ui: str) -> None:
        deadline = time.monotonic() + LIMIT_SECONDS
        while boltshuffle.status(ui=ui).rdma_share is None and time.monotonic() < deadline:
            time.sleep(1)
        self.assertGreaterEqual(boltshuffle.status(ui=ui).rdma_share, LEAST_SHARE)

    def test_mllib_learns_by_rdma(self):
        from pyspark.ml.recommendation import ALS

        spark = boltshuffle.session()
        self.addCleanup(spark.stop)
        ratings = spark.range(0, 5_000, 1, 4).selectExpr(
            "CAST(id % 100 AS INT) user", "CAST(id DIV 100 AS INT) item", "CAST((id % 100) % 5 + 1 AS FLOAT) rating"
        )
        model = ALS(rank=4, maxIter=4, seed=1, numUserBlocks=4, numItemBlocks=4, userCol="user", itemCol="item").fit(
            ratings
        )
        wrong = model.transform(ratings).where("abs(prediction - rating) > 0.5").count()
        self.assertEqual(0, wrong)
        self.assert_by_rdma(spark.sparkContext.uiWebUrl)

    def test_a_client_of_spark_connect_without_a_jvm_joins_by_rdma(self):
        port, ui_port = free_port(), free_port()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        log = Path(directory.name, "server.log")
        settings = {
            "spark.connect.grpc.binding.port": port,
            "spark.ui.port": ui_port,
            "spark.master": boltshuffle._cluster.local_clusters()[0].master,
        }
        words = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
        main = "org.apache.spark.sql.connect.service.SparkConnectServer"
        with log.open("w") as out:
            server = subprocess.Popen(
                [BOLT, "spark-submit", *words, "--class", main, "spark-internal"],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYSPARK_PYTHON": sys.executable},
                start_new_session=True,
            )
        self.addCleanup(end_group, server)
        self.await_port(port, server, log)
        client = subprocess.run(
            [os.environ["BOLT_CLIENT"], CLIENT, f"sc://127.0.0.1:{port}"],
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            # Neither a Java nor a Spark is in its reach.
            env={"PATH": "/nowhere", "HOME": os.environ["HOME"]},
            check=False,
        )
        self.assertEqual("200000 63\n", client.stdout, client.stderr + log.read_text())
        self.assert_by_rdma(f"http://127.0.0.1:{ui_port}")

    def await_port(self, port: int, server: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < deadline and server.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    return
            except OSError:
                time.sleep(0.5)
        self.fail(f"the server does not listen: {log.read_text()}")


def end_group(server: subprocess.Popen[bytes]) -> None:
    os.killpg(server.pid, signal.SIGTERM)
    server.wait(timeout=60)
