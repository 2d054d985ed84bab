"""The two lines in a fresh environment: a session on the local cluster, whose join shows its RDMA share."""

from __future__ import annotations

import sys
import time

import boltshuffle

LEAST_SHARE = 0.9
LIMIT_SECONDS = 60

spark = boltshuffle.session()

spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
numbers = spark.range(0, 200_000, 1, 4)
joined = numbers.join(numbers.selectExpr("id", "id * 3 AS triple"), "id").groupBy("id").sum("triple")
if joined.count() != numbers.count():
    sys.exit("the join lost rows")

# Python workers of the executors: they run this environment's Python, or fail at once.
pairs = spark.sparkContext.parallelize(range(1_000), 4).map(lambda number: (number % 10, number))
if sorted(pairs.reduceByKey(lambda one, two: one + two).collect())[1] != (1, sum(range(1, 1_000, 10))):
    sys.exit("the sums are wrong")

# Executors report after their tasks.
deadline = time.monotonic() + LIMIT_SECONDS
shown = boltshuffle.status(spark)
while (shown.rdma_share or 0) < LEAST_SHARE and time.monotonic() < deadline:
    time.sleep(1)
    shown = boltshuffle.status(spark)
print(shown)
if (shown.rdma_share or 0) < LEAST_SHARE:
    sys.exit(f"less than {LEAST_SHARE:.0%} went by RDMA")
if "by RDMA" not in shown._repr_html_():
    sys.exit("the picture does not show the share")
if boltshuffle.session().sparkContext is not spark.sparkContext:
    sys.exit("the second call made another session")
spark.stop()
