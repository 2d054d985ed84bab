"""A join and a function of Python by a client of Spark Connect: connect_client.py sc://HOST:PORT."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
numbers = spark.range(0, 200_000, 1, 4)
joined = numbers.join(numbers.selectExpr("id", "id * 3 AS triple"), "id")
backwards = f.udf(lambda text: text[::-1], "string")
print(joined.count(), joined.where("id = 12").select(backwards(f.col("triple").cast("string"))).first()[0])
spark.stop()
