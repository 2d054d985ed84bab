"""The ETL example over the local cluster, and its table as other libraries read it: python -m unittest etl."""

from __future__ import annotations

import glob
import runpy
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import polars
import pyarrow.dataset
from pyspark.sql import SparkSession

import boltshuffle

HOME = Path(__file__).parents[2]
LIMIT_SECONDS = 200
REPORT_SECONDS = 60
LEAST_SHARE = 0.9


def jar(name: str) -> str:
    (found,) = glob.glob(str(HOME / "target" / "lib" / f"{name}-*.jar"))
    return found


class TrainingTableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        tables = str(Path(directory.name, "tables"))
        cls.output = str(Path(directory.name, "training"))
        generator = [HOME / "bin" / "bolt", "spark-submit", "--class", "io.boltshuffle.examples.TpchGen"]
        generator += ["--jars", f"{jar('tpch')},{jar('guava')}"]
        for process in ("driver", "executor"):
            generator += ["--conf", f"spark.{process}.userClassPathFirst=true"]
        generator += [jar("boltshuffle-cli"), "0.01", "2", tables]
        subprocess.run(generator, check=True, timeout=LIMIT_SECONDS)
        cls.spark = boltshuffle.session()
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
        program = str(HOME / "examples" / "training_table.py")
        # The program takes the session that is there; it ends it, too, and with it the figures.
        with mock.patch.object(sys, "argv", [program, tables, cls.output]), mock.patch.object(SparkSession, "stop"):
            runpy.run_path(program, run_name="__main__")
        rows = cls.spark.read.parquet(cls.output).collect()
        cls.expected = sorted((row.asDict() for row in rows), key=by_key)

    def test_the_job_went_by_rdma(self):
        deadline = time.monotonic() + REPORT_SECONDS
        while not boltshuffle.status(self.spark).rdma_bytes and time.monotonic() < deadline:
            time.sleep(1)
        self.assertGreaterEqual(boltshuffle.status(self.spark).rdma_share, LEAST_SHARE)

    def test_pyarrow_reads_the_rows(self):
        table = pyarrow.dataset.dataset(self.output, partitioning="hive").to_table()
        self.assertEqual(1_000, table.num_rows)
        self.assertEqual(self.expected, sorted(table.to_pylist(), key=by_key))

    def test_polars_reads_the_rows(self):
        table = polars.scan_parquet(f"{self.output}/**/*.parquet", hive_partitioning=True).collect()
        self.assertEqual({"test", "train"}, set(table["split"]))
        self.assertEqual(self.expected, sorted(table.to_dicts(), key=by_key))


def by_key(row: dict[str, object]) -> object:
    return row["c_custkey"]
