"""PySpark's own examples, which its documentation shows and its developers run as tests, on the local cluster.

doctests.py stock FILE runs them with Spark's own shuffle and writes which passed; doctests.py bolt FILE runs them with
the plugin, compares, and prints a table of the modules. Some depend on the order in which rows arrive, with either
shuffle: what fails is repeated, and counts as passed if it ever passes. One that stock Spark passes only when it is
repeated has no right answer, so it may fail with the plugin, which is told. The package of PySpark on the index has no
other tests. BOLT_DOCTESTS=all takes more modules than those whose examples mostly shuffle, BOLT_DOCTESTS_REPORT names
a file to which the table is added.
"""

from __future__ import annotations

import doctest
import importlib
import io
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import boltshuffle
from boltshuffle import _cluster

SHUFFLING = ["pyspark.rdd", "pyspark.sql.group", "pyspark.sql.pandas.group_ops", "pyspark.sql.dataframe"]
"""Those whose examples mostly shuffle."""
OTHERS = [
    "pyspark.sql.functions.builtin",
    "pyspark.sql.window",
    "pyspark.sql.column",
    "pyspark.sql.udf",
    "pyspark.sql.udtf",
    "pyspark.sql.pandas.map_ops",
    "pyspark.sql.pandas.functions",
    "pyspark.sql.readwriter",
    "pyspark.sql.session",
    "pyspark.sql.observation",
]
"""``functions`` has 500 examples of a few rows each; few of all these shuffle."""
MODULES = SHUFFLING + (OTHERS if os.environ.get("BOLT_DOCTESTS") == "all" else [])
ALONE = ("barrier", "readStream", "writeStream", ".stop()", "remote(", "setCheckpointDir", ".plot", "_to_seq")
"""What an example has that needs a session of its own, or another kind of session."""
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
SETTINGS = {
    "spark.default.parallelism": "4",
    "spark.executor.instances": "2",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.showConsoleProgress": "false",
}
MOST_RUNS = 10
"""The last digit of an average of three numbers in four partitions is as the example shows in one order of a few."""
REPORT_SECONDS = 60


def examples(spark: SparkSession) -> dict[str, dict[str, doctest.DocTest]]:
    """Return the examples of each module, by name, with a session in their names."""
    found: dict[str, dict[str, doctest.DocTest]] = {}
    for name in MODULES:
        found[name] = {}
        module = importlib.import_module(name)
        names = {**vars(module), "spark": spark, "sc": spark.sparkContext}
        for test in doctest.DocTestFinder().find(module, name, globs=names):
            source = "".join(example.source for example in test.examples)
            if test.examples and not any(word in source for word in ALONE):
                found[name][test.name] = test
    return found


def passes(test: doctest.DocTest) -> tuple[bool, str]:
    """Run an example once; returns whether what it shows came, and what came instead."""
    said = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    names = dict(test.globs)
    failed = runner.run(test, out=said.write, clear_globs=False).failed
    test.globs = names  # an example may run again, and begins anew
    return failed == 0, said.getvalue()


def run_all(tests: dict[str, doctest.DocTest], worth_repeating: set[str]) -> tuple[dict[str, bool], dict[str, str]]:
    """Run all; returns those that passed at least once, each with whether its first run did, and what others said."""
    passed, failed = {}, {}
    for name, test in tests.items():
        for _ in range(MOST_RUNS if name in worth_repeating else 1):
            well, said = passes(test)
            if well:
                passed[name] = name not in failed
                if name in failed:
                    print(f"{name} passed when it was repeated; before that:\n{failed[name]}")
                failed.pop(name, None)
                break
            failed[name] = said
    return passed, failed


def stock() -> SparkSession:
    """Return a session on the same two hosts, with Spark's own shuffle."""
    clusters = _cluster.local_clusters()
    if not clusters:
        sys.exit("no local cluster runs: bolt cluster start")
    cluster = clusters[0]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder: Any = SparkSession.builder.master(cluster.master).config("spark.executor.memory", "1g")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def table(expected: dict[str, dict[str, bool]], ours: dict[str, dict[str, bool]], counts: dict[str, int]) -> str:
    """Return a row for each module: how many examples pass, with either shuffle."""
    rows = ["| module | examples | pass with stock Spark | of these with the plugin |", "| --- | --- | --- | --- |"]
    for name, passing in expected.items():
        rows.append(f"| {name} | {counts[name]} | {len(passing)} | {len(ours[name].keys() & passing)} |")
    return "\n".join(rows)


def compare(spark: SparkSession, file: Path) -> str | None:
    """Run all examples with the plugin; returns what to exit with."""
    expected: dict[str, dict[str, bool]] = json.loads(file.read_text())
    ours, counts, different, unsteady = {}, {}, [], []
    for name, tests in examples(spark).items():
        ours[name], failed = run_all(tests, set(expected[name]))
        counts[name] = len(tests)
        for missing in sorted(expected[name].keys() - ours[name]):
            (different if expected[name][missing] else unsteady).append(missing)
            print(f"{missing}:\n{failed.get(missing, 'it is not there')}")
    # Executors report after their tasks.
    deadline = time.monotonic() + REPORT_SECONDS
    while not boltshuffle.status(spark).rdma_bytes and time.monotonic() < deadline:
        time.sleep(1)
    shown = boltshuffle.status(spark)
    print(shown)
    told = f"PySpark {spark.version}\n\n{table(expected, ours, counts)}\n"
    if unsteady:
        told += f"\nOnly when repeated with stock Spark, and never with the plugin: {', '.join(unsteady)}\n"
    print(told)
    report = os.environ.get("BOLT_DOCTESTS_REPORT")
    if report:
        with open(report, "a") as out:
            out.write(told + "\n")
    if not shown.rdma_bytes:
        return "nothing went by RDMA"
    return f"examples that pass with stock Spark only: {', '.join(different)}" if different else None


def main(way: str, file: Path) -> str | None:
    """Run all examples; returns what to exit with."""
    spark = stock() if way == "stock" else boltshuffle.session(**SETTINGS)
    begin = time.monotonic()
    if way == "bolt":
        wrong = compare(spark, file)
    else:
        wrong = None
        passing = {}
        for name, tests in examples(spark).items():
            passed, failed = run_all(tests, set(tests))
            passing[name] = passed
            print(f"stock: {name}: {len(passed)} of {len(tests)} examples; not {sorted(failed)}", flush=True)
        file.write_text(json.dumps(passing))
    spark.stop()
    print(f"{way}: {time.monotonic() - begin:.0f} s")
    return wrong


sys.exit(main(sys.argv[1], Path(sys.argv[2])))
