"""What a session is started with, and what is refused before Spark is started."""

import json
import os
import socket
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from boltshuffle import BoltError, _cells, _cluster, _jar, _profile, _session, _versions

JAR = Path("/opt/bolt/boltshuffle-spark_2.13-1.jar")
MASTER = "spark://mac1:7077"
GIB = 1 << 30


def size(workers=2, free_cores=4, worker_memory_bytes=4 * GIB, free_worker_memory_bytes=4 * GIB):
    return _cluster.Size(workers, 4, free_cores, 2, worker_memory_bytes, free_worker_memory_bytes, ["another notebook"])


class PlanTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = Path(temporary.name)
        environment = {"BOLT_CACHE": str(self.directory / "cache"), "SPARK_CONF_DIR": str(self.directory)}
        patched = mock.patch.dict(os.environ, environment)
        patched.start()
        self.addCleanup(patched.stop)
        for name in ("BOLT_MASTER", "BOLT_PROFILE", "SPARK_REMOTE", "SPARK_HOME"):
            os.environ.pop(name, None)

    def plan(self, master=None, profile=None, release="4.2.0", **conf):
        return _session.plan_for(release, JAR, master, profile, conf, 7)

    def local_cluster(self, spark="4.2.0"):
        directory = self.directory / "cache" / "cluster"
        directory.mkdir(parents=True)
        described = {
            "masterUrl": "spark://127.0.0.1:17077",
            "uiUrl": "http://localhost:1",
            "spark": spark,
            "settings": {"spark.cores.max": "2", "spark.boltshuffle.agent.directory": "/agents"},
        }
        (directory / "cluster.json").write_text(json.dumps(described))

    def test_the_plugin_goes_with_the_user_jars_on_spark_4(self):
        settings = self.plan(MASTER, **{"spark.jars": "mine.jar"}).settings
        self.assertEqual(_jar.MANAGER, settings["spark.shuffle.manager"])
        self.assertEqual(f"mine.jar,{JAR}", settings["spark.jars"])
        self.assertEqual(_jar.PLUGIN, settings["spark.plugins"])

    def test_the_plugin_goes_on_both_class_paths_on_spark_3_5(self):
        settings = self.plan(MASTER, release="3.5.9", **{"spark.driver.extraClassPath": "a.jar"}).settings
        self.assertEqual(f"a.jar:{JAR}", settings["spark.driver.extraClassPath"])
        self.assertEqual(str(JAR), settings["spark.executor.extraClassPath"])

    def test_plugins_of_the_defaults_file_are_kept(self):
        (self.directory / "spark-defaults.conf").write_text("spark.plugins com.example.Other\n")
        self.assertEqual(f"com.example.Other,{_jar.PLUGIN}", self.plan(MASTER).settings["spark.plugins"])

    def test_the_caller_wins_over_the_profile(self):
        profile = self.directory / "mine.conf"
        profile.write_text("spark.master spark://other:1\nspark.executor.memory 24g\n")
        plan = self.plan(MASTER, profile, **{"spark.executor.memory": "2g"})
        self.assertEqual(MASTER, plan.master)
        self.assertEqual("2g", plan.settings["spark.executor.memory"])

    def test_the_local_cluster_is_found(self):
        self.local_cluster()
        plan = self.plan(**{"spark.cores.max": "1"})
        self.assertEqual("spark://127.0.0.1:17077", plan.master)
        self.assertTrue(plan.on_local_cluster)
        self.assertEqual("/agents", plan.settings["spark.boltshuffle.agent.directory"])
        self.assertEqual("1", plan.settings["spark.cores.max"])

    def machines(self):
        directory = self.directory / "cache" / "up" / "cluster"
        directory.mkdir(parents=True)
        described = {
            "masterUrl": "spark://10.0.0.1:7077",
            "uiUrl": "http://10.0.0.1:8080",
            "spark": "4.2.0",
            "settings": {"spark.driver.host": "10.0.0.2", "spark.authenticate": "true"},
        }
        (directory / "cluster.json").write_text(json.dumps(described))
        (directory / "secret.json").write_text(json.dumps({"spark.authenticate.secret": "a \\ b"}))
        return directory

    def test_a_cluster_of_machines_is_found_and_its_secret_is_no_setting(self):
        self.machines()
        plan = self.plan()
        self.assertEqual("spark://10.0.0.1:7077", plan.master)
        self.assertEqual("10.0.0.2", plan.settings["spark.driver.host"])
        self.assertNotIn("spark.authenticate.secret", plan.settings)

    def test_the_secret_is_in_a_private_file_as_long_as_java_starts(self):
        directory = self.machines()
        (self.directory / "spark-defaults.conf").write_text("spark.mine 1\n")
        with mock.patch.dict(os.environ, {"PYSPARK_SUBMIT_ARGS": "--verbose pyspark-shell"}):
            with self.plan().secrets:
                words = os.environ["PYSPARK_SUBMIT_ARGS"].split()
                file = Path(words[1])
                self.assertEqual(["--properties-file", str(file), "--verbose", "pyspark-shell"], words)
                self.assertEqual(0o600, file.stat().st_mode & 0o777)
                self.assertEqual(
                    {"spark.mine": "1", "spark.authenticate.secret": "a \\ b"}, _profile.parse(file.read_text())
                )
            self.assertEqual("--verbose pyspark-shell", os.environ["PYSPARK_SUBMIT_ARGS"])
        self.assertEqual([], list(directory.glob("*.conf")))

    def test_each_cluster_is_found_by_its_master(self):
        self.machines()
        self.local_cluster()
        self.assertEqual("spark://127.0.0.1:17077", self.plan().master)
        self.assertIsNone(self.plan().secrets)
        self.assertIsNotNone(self.plan("spark://10.0.0.1:7077").secrets)

    def test_another_release_than_that_of_the_machines_is_refused(self):
        self.machines()
        with self.assertRaisesRegex(BoltError, "runs Spark 4.2.0.*'bolt down' and 'bolt up --spark 4.1.3'"):
            self.plan(release="4.1.3")

    def test_spark_waits_no_longer_for_all_hosts_than_the_session_does(self):
        self.local_cluster()
        self.assertEqual("7s", self.plan().settings["spark.scheduler.maxRegisteredResourcesWaitingTime"])

    def test_settings_of_the_local_cluster_stay_away_from_another_master(self):
        self.local_cluster()
        self.assertNotIn("spark.boltshuffle.agent.directory", self.plan(MASTER).settings)

    def test_a_local_cluster_of_another_release_is_refused(self):
        self.local_cluster("4.1.3")
        self.assertRaisesRegex(BoltError, "runs Spark 4.1.3.*pip install pyspark==4.1.3.*--spark 4.2.0", self.plan)

    def test_without_a_master_the_message_names_both_ways(self):
        self.assertRaisesRegex(BoltError, "no master.*bolt cluster start", self.plan)

    def test_another_shuffle_manager_stays_and_the_plugin_carries_its_shuffles(self):
        settings = self.plan(MASTER, **{"spark.shuffle.manager": "sort"}).settings
        self.assertEqual("sort", settings["spark.shuffle.manager"])
        self.assertEqual(_jar.PLUGIN, settings["spark.plugins"])

    def test_spark_connect_is_refused(self):
        self.assertRaisesRegex(BoltError, "Spark Connect", self.plan, "sc://mac1")
        with mock.patch.dict(os.environ, {"SPARK_CONNECT_MODE_ENABLED": "1"}):
            self.assertRaisesRegex(BoltError, "Spark Connect.*restart the kernel", self.plan, "spark://mac1:7077")

    def test_a_master_of_another_kind_is_refused_before_a_jvm_starts(self):
        for master in ("127.0.0.1:17077", "yarn", "k8s://https://mac1:6443"):
            self.assertRaisesRegex(BoltError, "begins with spark://.*not tested", self.plan, master)

    def test_executors_are_given_back_except_where_the_caller_counts_them(self):
        self.assertEqual("true", self.plan(MASTER).settings["spark.dynamicAllocation.enabled"])
        fixed = self.plan(MASTER, **{"spark.executor.instances": "2"}).settings
        self.assertNotIn("spark.dynamicAllocation.enabled", fixed)
        self.assertNotIn("spark.dynamicAllocation.enabled", self.plan("local[2]").settings)

    def test_a_profiles_limit_for_python_is_for_clusters(self):
        profile = self.directory / "mine.conf"
        profile.write_text("spark.executor.pyspark.memory 8g\n")
        self.assertEqual("8g", self.plan(MASTER, profile).settings["spark.executor.pyspark.memory"])
        self.assertNotIn("spark.executor.pyspark.memory", self.plan("local[2]", profile).settings)
        asked = self.plan("local[2]", **{"spark.executor.pyspark.memory": "1g"})
        self.assertEqual("1g", asked.settings["spark.executor.pyspark.memory"])

    def test_in_a_notebook_the_line_takes_the_place_of_sparks(self):
        with mock.patch.object(_cells, "shell", object):
            plan = self.plan(MASTER)
            theirs = self.plan(MASTER, **{"spark.ui.showConsoleProgress": "true"})
        self.assertTrue(plan.with_line)
        self.assertEqual("false", plan.settings["spark.ui.showConsoleProgress"])
        self.assertFalse(theirs.with_line)
        self.assertNotIn("spark.ui.showConsoleProgress", self.plan(MASTER).settings)

    def test_half_of_a_worker_is_left_to_a_second_notebook(self):
        chosen = _session.fitting(self.plan(MASTER), size())
        self.assertEqual("2048m", chosen["spark.executor.memory"])
        self.assertEqual("2", chosen["spark.dynamicAllocation.initialExecutors"])
        self.assertEqual("2", chosen["spark.executor.cores"])

    def test_a_small_worker_is_taken_as_a_whole(self):
        chosen = _session.fitting(self.plan(MASTER), size(worker_memory_bytes=GIB))
        self.assertEqual("1024m", chosen["spark.executor.memory"])

    def test_more_memory_than_a_worker_has_is_refused_before_the_start(self):
        plan = self.plan(MASTER, **{"spark.executor.memory": "24g"})
        self.assertRaisesRegex(BoltError, "24g.*4096 MiB.*4096m or less", _session.fitting, plan, size())

    def test_a_master_without_workers_is_refused(self):
        self.assertRaisesRegex(BoltError, "has no worker", _session.fitting, self.plan(MASTER), size(workers=0))

    def test_a_full_cluster_is_named_with_what_fills_it(self):
        error = _session.why_no_executor(self.plan(MASTER), size(free_cores=0), 60)
        self.assertRegex(str(error), "no executor within 60 s; 0 of 4 cores.*another notebook: stop one")

    def test_an_application_is_not_named_as_one_that_takes_its_own_place(self):
        self.local_cluster()
        error = _session.why_no_executor(self.plan(), size(free_cores=0), 60, "another notebook")
        self.assertRegex(str(error), "these applications run: no other: .*bolt cluster start --cores 2")

    def test_without_the_masters_page_the_message_says_where_to_look(self):
        self.assertIn("8080", str(_session.why_no_executor(self.plan(MASTER), None, 60)))

    def test_underscores_stand_for_dots(self):
        self.assertEqual("spark.cores.max", _session._key("spark_cores_max"))
        self.assertEqual("true", _session._text(True))


class VersionsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = Path(temporary.name)

    def spark(self, name):
        (self.home / "jars").mkdir()
        (self.home / "jars" / name).touch()

    def test_a_release_that_is_not_supported_is_refused(self):
        self.assertRaisesRegex(BoltError, "PySpark 3.4.1.*3.5, 4.0", _versions.line_of, "3.4.1")
        self.assertRaisesRegex(BoltError, "PySpark 3.6.0", _versions.line_of, "3.6.0")
        self.assertEqual("4.2", _versions.line_of("4.2.1"))
        self.assertEqual("4.3", _versions.line_of("4.3.0"))

    def test_a_newer_line_is_left_to_the_plugin(self):
        self.assertEqual("4.9", _versions.line_of("4.9.0"))
        self.assertEqual("4.10", _versions.line_of("4.10.0.dev1"))
        self.assertEqual("5.0", _versions.line_of("5.0.0"))

    def test_a_spark_home_of_another_release_is_refused(self):
        self.spark("spark-core_2.13-4.1.3.jar")
        self.assertRaisesRegex(
            BoltError,
            "is 4.1.3, and PySpark is 4.2.0.*unset SPARK_HOME",
            _versions.check_jars,
            "4.2.0",
            self.home,
            True,
        )

    def test_scala_2_12_is_refused(self):
        self.spark("spark-core_2.12-3.5.9.jar")
        self.assertRaisesRegex(BoltError, "Scala 2.12", _versions.check_jars, "3.5.9", self.home, False)

    def test_the_client_of_spark_connect_brings_no_spark(self):
        self.assertRaisesRegex(BoltError, "pyspark-client", _versions.check_jars, "4.2.0", self.home, False)

    def test_the_right_spark_passes(self):
        self.spark("spark-core_2.13-4.2.0.jar")
        _versions.check_jars("4.2.0", self.home, True)


class ProfileTest(unittest.TestCase):
    def test_a_file_is_read_as_spark_reads_it(self):
        text = "# no\n! no\nspark.a  1 2\nspark.b=3\n\nspark.c : x\\\\y\n"
        self.assertEqual({"spark.a": "1 2", "spark.b": "3", "spark.c": "x\\y"}, _profile.parse(text))

    def test_a_directory_of_bolt_init_stands_for_its_file(self):
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "spark-defaults.conf").write_text("spark.a 1\n")
            self.assertEqual({"spark.a": "1"}, _profile.read(directory))

    def test_a_profile_that_is_missing_is_one_sentence(self):
        self.assertRaisesRegex(BoltError, "missing.conf cannot be read", _profile.read, "missing.conf")

    def test_sizes_are_sparks(self):
        self.assertEqual(24 << 30, _profile.memory_bytes("24g"))
        self.assertEqual(512 << 20, _profile.memory_bytes("512"))
        self.assertIsNone(_profile.memory_bytes("much"))


class MasterTest(unittest.TestCase):
    def test_a_master_that_does_not_answer_is_refused_at_once(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.assertRaisesRegex(
            BoltError, "no master answers.*bolt cluster start", _cluster.require_answer, f"spark://127.0.0.1:{port}"
        )

    def test_one_of_several_masters_is_enough(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            _cluster.require_answer(f"spark://127.0.0.1:1,127.0.0.1:{server.getsockname()[1]}")

    def test_an_address_without_a_port_is_refused(self):
        self.assertRaisesRegex(BoltError, "spark://HOST:PORT", _cluster.addresses, "spark://mac1")

    def test_only_workers_that_live_count(self):
        worker = {"state": "ALIVE", "cores": 2, "coresfree": 1, "memory": 1024, "memoryfree": 512}
        told = {"workers": [worker, {**worker, "state": "DEAD"}], "activeapps": [{"name": "etl"}]}
        self.assertEqual(_cluster.Size(1, 2, 1, 2, 1024 << 20, 512 << 20, ["etl"]), _cluster.size_of(told))
