# The first cell of a notebook: a session by a profile next to this file, with the plugin's jar.
# Settings that are already in the environment or in spark-defaults.conf give way to those of the profile.
import os
from pathlib import Path

from pyspark.sql import SparkSession

PROFILE = Path(os.environ.get("BOLT_PROFILE", "notebook-cluster.conf"))
JAR = os.environ["BOLT_PLUGIN_JAR"]  # boltshuffle-spark_2.13-VERSION.jar

builder = SparkSession.builder.appName("notebook").config("spark.jars", JAR)
for line in PROFILE.read_text().splitlines():
    if line.strip() and not line.startswith("#"):
        key, value = line.split(None, 1)
        builder = builder.config(key, value)
if "BOLT_MASTER" in os.environ:
    builder = builder.master(os.environ["BOLT_MASTER"])
spark = builder.getOrCreate()
print("Spark", spark.version, "with its UI at", spark.sparkContext.uiWebUrl)
