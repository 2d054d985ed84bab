"""The first look at a data set, in PySpark: sales_walk.py TABLES. Asks what io.boltshuffle.examples.SalesWalk asks."""

import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

spark = SparkSession.builder.appName("sales_walk").getOrCreate()
tables = sys.argv[1]
orders = spark.read.parquet(tables + "/orders")
customers = spark.read.parquet(tables + "/customer")
sales = orders.join(customers, orders.o_custkey == customers.c_custkey)

# Which segments buy, and how much at a time?
sales.groupBy("c_mktsegment").agg(
    f.countDistinct("c_custkey").alias("customers"),
    f.count(f.lit(1)).alias("orders"),
    f.avg("o_totalprice").cast("decimal(12,2)").alias("mean_order"),
).orderBy(f.desc("mean_order")).show()

# Does it grow? Revenue by quarter, and so far.
sales.groupBy(f.floor(f.col("o_orderday") / 91).alias("quarter")).agg(
    f.sum("o_totalprice").alias("revenue")
).withColumn("so_far", f.sum("revenue").over(Window.orderBy("quarter"))).orderBy("quarter").show()

# Who are the three best customers of each segment?
best_first = Window.partitionBy("c_mktsegment").orderBy(f.desc("revenue"), "c_custkey")
sales.groupBy("c_mktsegment", "c_custkey").agg(f.sum("o_totalprice").alias("revenue")).withColumn(
    "place", f.row_number().over(best_first)
).where("place <= 3").orderBy("c_mktsegment", "place").show()

spark.stop()
