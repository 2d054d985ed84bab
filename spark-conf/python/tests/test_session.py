"""Sessions that exist already, with a stand-in for pyspark."""

import os
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

from boltshuffle import BoltError, _jar, _session

STOCK = "org.apache.spark.shuffle.sort.SortShuffleManager"


class Named:
    """Answers every path of attributes and calls with the same, except for the last."""

    def __init__(self, name):
        self.name = name

    def getName(self):  # noqa: N802
        return self.name

    def __getattr__(self, attribute):
        return self

    def __call__(self, *arguments):
        return self


class Executors:
    def __init__(self, count, stopped=False, given_back=0):
        self.count = count
        self.stopped = stopped
        self.given_back = given_back

    def sc(self):
        return self

    def env(self):
        return self

    def isStopped(self):  # noqa: N802
        return self.stopped

    def getExecutorMemoryStatus(self):  # noqa: N802
        return self

    def size(self):
        return self.count

    def statusStore(self):  # noqa: N802
        return self

    def executorList(self, active_only):  # noqa: N802
        return Executors(self.count if active_only else self.count + self.given_back)


class Context:
    _active_spark_context = None
    _gateway = None
    _jvm = None
    appName = "notebook"  # noqa: N815

    def __init__(self, manager, master="spark://mac1:7077", executors=2, stopped=False, given_back=0):
        self._jvm = Named(manager)
        self._jsc = Executors(executors, stopped, given_back)
        self.master = master

    def getConf(self):  # noqa: N802
        return {"spark.cores.max": "2"}


class SessionTest(unittest.TestCase):
    def setUp(self):
        pyspark = types.ModuleType("pyspark")
        pyspark.SparkContext = Context
        sql = types.ModuleType("pyspark.sql")
        self.session = mock.MagicMock()
        sql.SparkSession = types.SimpleNamespace(builder=types.SimpleNamespace(getOrCreate=lambda: self.session))
        patched = mock.patch.dict(sys.modules, {"pyspark": pyspark, "pyspark.sql": sql})
        patched.start()
        self.addCleanup(patched.stop)
        self.addCleanup(setattr, Context, "_active_spark_context", None)
        self.addCleanup(setattr, Context, "_gateway", None)
        self.addCleanup(setattr, Context, "_jvm", None)

    def test_a_session_of_ours_is_returned(self):
        self.assertIs(self.session, _session._existing(Context(_jar.MANAGER), None, {"spark.cores.max": "2"}))

    def test_settings_of_sql_reach_a_session_that_runs(self):
        _session._existing(Context(_jar.MANAGER), None, {"spark.sql.shuffle.partitions": "7"})
        self.session.conf.set.assert_called_once_with("spark.sql.shuffle.partitions", "7")

    def test_other_settings_of_a_session_that_runs_are_not_dropped_in_silence(self):
        self.assertRaisesRegex(
            BoltError,
            r"with spark.cores.max=2, and 4 was asked for: call spark.stop\(\) first",
            _session._existing,
            Context(_jar.MANAGER),
            None,
            {"spark.cores.max": "4"},
        )

    def test_a_stock_session_is_never_returned(self):
        self.assertRaisesRegex(
            BoltError,
            "without boltshuffle.*SortShuffleManager.*restart the kernel",
            _session._existing,
            Context(STOCK),
            None,
            {},
        )

    def test_a_session_of_another_manager_is_returned_if_it_has_the_plugin(self):
        stock = Context(STOCK)
        stock.getConf = lambda: {"spark.plugins": f"a.Plugin,{_jar.PLUGIN}"}
        self.assertIs(self.session, _session._existing(stock, None, {}))

    def test_a_session_on_another_master_is_not_returned(self):
        self.assertRaisesRegex(
            BoltError,
            r"on spark://mac1:7077.*spark.stop\(\)",
            _session._existing,
            Context(_jar.MANAGER),
            "spark://b:1",
            {},
        )

    def test_a_session_that_ended_by_itself_is_told(self):
        Context._active_spark_context = Context(_jar.MANAGER, stopped=True)
        self.assertRaisesRegex(BoltError, "has ended", _session._running)

    def test_a_jvm_without_the_jar_is_not_used_again(self):
        def refuse(*arguments):
            raise RuntimeError("ClassNotFoundException")

        Context._gateway = object()
        Context._jvm = mock.MagicMock()
        Context._jvm.java.lang.Class.forName = refuse
        self.assertRaisesRegex(
            BoltError, "cannot load x.jar.*restart the kernel", _session._require_fresh_jvm, Path("x.jar")
        )

    def test_a_jvm_with_the_jar_is(self):
        Context._gateway = object()
        Context._jvm = mock.MagicMock()
        _session._require_fresh_jvm(Path("x.jar"))

    def test_no_executor_is_an_end_not_a_wait(self):
        plan = _session.Plan("local-cluster[2,1,1024]", {}, False, None)
        self.assertRaisesRegex(
            BoltError, "gave no executor", _session._await_executor, Context(_jar.MANAGER, executors=1), plan, 60, 0
        )

    def test_an_executor_is_enough(self):
        plan = _session.Plan("spark://mac1:7077", {}, False, None)
        _session._await_executor(Context(_jar.MANAGER, executors=2), plan, 60, 0)
        # It may be idle for longer than it is kept before anybody looks.
        _session._await_executor(Context(_jar.MANAGER, executors=1, given_back=1), plan, 60, 0)

    def test_executors_run_the_python_of_the_notebook_unless_told_otherwise(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("PYSPARK_PYTHON", None)
            _session._set_python(_session.Plan("local[1]", {}, False, None))
            self.assertEqual(sys.executable, os.environ["PYSPARK_PYTHON"])
            _session._set_python(_session.Plan("local[1]", {"spark.pyspark.python": "/opt/python"}, False, None))
            self.assertEqual("/opt/python", os.environ["PYSPARK_PYTHON"])

    def test_what_spark_says_leads_to_the_remedy_that_fits(self):
        self.assertIn("or add the jar", _session.why_no_start("java.lang.ClassNotFoundException: org.example.NoSuch"))
        self.assertIn("SPARK_LOCAL_IP", _session.why_no_start("java.net.BindException: Cannot assign"))
        self.assertEqual("what Spark said is above", _session.why_no_start("the moon is wrong"))

    def test_java_is_looked_for_first(self):
        with mock.patch.dict(os.environ, {"JAVA_HOME": "/nowhere"}):
            self.assertRaisesRegex(BoltError, "JAVA_HOME is /nowhere", _session._require_java)
        with mock.patch.dict(os.environ, {"JAVA_HOME": "", "PATH": "/nowhere"}):
            self.assertRaisesRegex(BoltError, "there is no Java", _session._require_java)
