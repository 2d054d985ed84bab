"""A table to train on, in PySpark: training_table.py TABLES OUTPUT. As io.boltshuffle.examples.TrainingTable."""

import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

LABEL_DAYS = 182
SEGMENTS = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"]
BALANCE_BOUNDS = [0, 2500, 5000, 7500]

spark = SparkSession.builder.appName("training_table").getOrCreate()
tables, output = sys.argv[1:3]
orders = spark.read.parquet(tables + "/orders")
customers = spark.read.parquet(tables + "/customer")
cut = orders.agg(f.max("o_orderday")).first()[0] - LABEL_DAYS

# One column for each segment, and the number of the bucket that the balance falls into.
encoded = customers
for segment in SEGMENTS:
    encoded = encoded.withColumn("segment_" + segment.lower(), (f.col("c_mktsegment") == segment).cast("int"))
bucket = f.lit(0)
for bound in BALANCE_BOUNDS:
    bucket = bucket + (f.col("c_acctbal") >= bound).cast("int")
encoded = encoded.withColumn("balance_bucket", bucket).drop("c_mktsegment")

# How often, how much and how regularly a customer ordered before the half year that is to be foretold.
in_time = Window.partitionBy("o_custkey").orderBy("o_orderday", "o_orderkey")
history = (
    orders.where(f.col("o_orderday") <= cut)
    .withColumn("gap", f.col("o_orderday") - f.lag("o_orderday", 1).over(in_time))
    .groupBy(f.col("o_custkey").alias("c_custkey"))
    .agg(
        f.count(f.lit(1)).alias("orders"),
        f.sum("o_totalprice").alias("spent"),
        f.avg("gap").alias("mean_gap_days"),
        (f.lit(cut) - f.max("o_orderday")).alias("days_since_last"),
    )
)
labels = orders.where(f.col("o_orderday") > cut).select(f.col("o_custkey").alias("c_custkey")).distinct()

(
    encoded.join(history, "c_custkey")
    .join(labels.withColumn("label", f.lit(1)), "c_custkey", "left")
    .withColumn("label", f.coalesce("label", f.lit(0)))
    .withColumn("split", f.when(f.abs(f.hash("c_custkey")) % 100 < 20, "test").otherwise("train"))
    .repartition(4, "c_custkey")
    .sortWithinPartitions("c_custkey")
    .write.partitionBy("split")
    .parquet(output)
)
spark.stop()
