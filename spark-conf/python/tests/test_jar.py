"""Where the plugin's jar is, and what is said if it is not there."""

import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from boltshuffle import BoltError, _jar


class JarTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = Path(temporary.name)

    def jar(self, name, entry):
        file = self.directory / name
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(entry, b"")
        return file

    def test_the_jar_of_the_package_is_found(self):
        jar = self.jar("boltshuffle-spark_2.13-1.jar", "io/boltshuffle/spark/BoltShuffleManager.class")
        with mock.patch.dict(os.environ, {"BOLT_PLUGIN_JAR": ""}):
            self.assertEqual(jar, _jar.find([self.directory / "no", self.directory]))

    def test_without_a_jar_the_message_says_where_one_comes_from(self):
        with mock.patch.dict(os.environ, {"BOLT_PLUGIN_JAR": ""}), self.assertRaisesRegex(BoltError, r"\.ci/wheel"):
            _jar.find([self.directory])

    def test_a_named_jar_that_is_missing_is_one_sentence(self):
        gone = str(self.directory / "gone.jar")
        with mock.patch.dict(os.environ, {"BOLT_PLUGIN_JAR": gone}):
            self.assertRaisesRegex(BoltError, "there is no file .*gone.jar", _jar.find)

    def test_a_jar_of_something_else_is_refused(self):
        other = self.jar("other.jar", "com/example/Main.class")
        with mock.patch.dict(os.environ, {"BOLT_PLUGIN_JAR": str(other)}):
            self.assertRaisesRegex(BoltError, "is not the plugin's jar", _jar.find)
