"""Kinds of work that notebooks do. Each gives the same answer whichever shuffle carries its rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

ROWS = 20_000
KEYS = 50
PARTS = 4


def prepare(spark: SparkSession) -> None:
    """Let every join and aggregation shuffle, unless a kind says otherwise."""
    spark.conf.set("spark.sql.shuffle.partitions", str(PARTS))
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", "true")


def orders(spark: SparkSession) -> DataFrame:
    """Return rows whose customers have unequal numbers of orders, in whole numbers, so that sums have no order."""
    number = f.col("id")
    return spark.range(0, ROWS, 1, PARTS).select(
        number,
        (number * number % KEYS).alias("customer"),
        (number * 31 % 1_000).alias("price"),
        f.concat(f.lit("order-"), number.cast("string")).alias("name"),
    )


def customers(spark: SparkSession) -> DataFrame:
    """Return one row for each key."""
    return spark.range(0, KEYS, 1, PARTS).select(
        f.col("id").alias("customer"), (f.col("id") % 5).alias("segment"), (f.col("id") * 7).alias("balance")
    )


def rows(frame: DataFrame) -> list[Any]:
    """Return the rows in an order of their own, because that of arrival is no part of the answer."""
    return sorted([list(row) for row in frame.collect()], key=repr)


def summary(frame: DataFrame) -> list[Any]:
    """Return a few rows that stand for all."""
    grouped = frame.groupBy((f.col("id") % 10).alias("bucket"))
    return rows(grouped.agg(f.count("*"), f.sum("price"), f.sum(f.crc32("name"))))


def join(spark: SparkSession) -> list[Any]:
    return summary(orders(spark).join(customers(spark), "customer"))


def outer_join(spark: SparkSession) -> list[Any]:
    few = customers(spark).where("customer % 3 = 0")
    joined = orders(spark).join(few, "customer", "full_outer")
    return rows(joined.groupBy("segment").agg(f.count("*"), f.sum("price")))


def self_join(spark: SparkSession) -> list[Any]:
    one = orders(spark)
    other = one.select((f.col("id") + 1).alias("id"), f.col("price").alias("before"))
    return rows(one.join(other, "id").groupBy("customer").agg(f.sum(f.col("price") - f.col("before"))))


def skewed_join(spark: SparkSession) -> list[Any]:
    skewed = orders(spark).withColumn("customer", f.when(f.col("id") % 10 < 9, f.lit(1)).otherwise(f.col("customer")))
    return summary(skewed.join(customers(spark), "customer"))


def broadcast_join(spark: SparkSession) -> list[Any]:
    joined = orders(spark).join(f.broadcast(customers(spark)), "customer")
    return rows(joined.groupBy("segment").agg(f.sum("price")))


def broadcast_variable(spark: SparkSession) -> list[Any]:
    context = spark.sparkContext
    weights = context.broadcast({key: key * 3 for key in range(KEYS)})
    pairs = context.parallelize(range(ROWS // 10), PARTS).map(lambda number: (number % KEYS, number))
    return sorted(
        pairs.reduceByKey(lambda one, two: one + two)
        .map(lambda pair: (pair[0], pair[1] * weights.value[pair[0]]))
        .collect()
    )


def aggregate(spark: SparkSession) -> list[Any]:
    grouped = orders(spark).groupBy("customer")
    return rows(grouped.agg(f.sum("price"), f.min("name"), f.max("name"), f.countDistinct("price")))


def distinct(spark: SparkSession) -> list[Any]:
    return rows(orders(spark).select("customer", (f.col("price") % 20).alias("price")).distinct())


def sort(spark: SparkSession) -> list[Any]:
    ordered = orders(spark).orderBy(f.desc("price"), "name").select("name").collect()
    return [row[0] for row in ordered[:: ROWS // 100]]


def window(spark: SparkSession) -> list[Any]:
    by_time = Window.partitionBy("customer").orderBy("id")
    ranked = orders(spark).withColumn("gap", f.col("id") - f.lag("id").over(by_time))
    return rows(ranked.groupBy("customer").agg(f.max("gap"), f.sum("gap")))


def pivot(spark: SparkSession) -> list[Any]:
    joined = orders(spark).join(customers(spark), "customer")
    return rows(joined.groupBy("customer").pivot("segment", list(range(5))).agg(f.sum("price")))


def repartition(spark: SparkSession) -> list[Any]:
    return summary(orders(spark).repartition(7, "name").repartition(3))


def cache(spark: SparkSession) -> list[Any]:
    kept = orders(spark).repartition(PARTS, "customer").cache()
    try:
        return [kept.count(), *summary(kept)]
    finally:
        kept.unpersist()


def python_udf(spark: SparkSession) -> list[Any]:
    backwards = f.udf(lambda name: name[::-1], "string")
    named = orders(spark).withColumn("name", backwards("name"))
    return rows(named.groupBy("customer").agg(f.min("name"), f.max("name")))


def pandas_udf(spark: SparkSession) -> list[Any]:
    def doubled(prices: pd.Series) -> pd.Series:
        return prices * 2

    return summary(
        orders(spark).repartition(PARTS, "customer").withColumn("price", f.pandas_udf(doubled, "long")("price"))
    )


def pandas_aggregate(spark: SparkSession) -> list[Any]:
    def spread(prices: pd.Series) -> int:
        return int(prices.max() - prices.min())

    return rows(orders(spark).groupBy("customer").agg(f.pandas_udf(spread, "long")("price")))


def apply_in_pandas(spark: SparkSession) -> list[Any]:
    def best(group: pd.DataFrame) -> pd.DataFrame:
        return group.sort_values(["price", "id"]).tail(2)[["customer", "id", "price"]]

    return rows(orders(spark).groupBy("customer").applyInPandas(best, "customer long, id long, price long"))


def cogroup_in_pandas(spark: SparkSession) -> list[Any]:
    def both(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"bought": [int(left["price"].sum())], "balance": [int(right["balance"].sum())]})

    grouped = orders(spark).groupBy("customer").cogroup(customers(spark).groupBy("customer"))
    return rows(grouped.applyInPandas(both, "bought long, balance long"))


def map_in_arrow(spark: SparkSession) -> list[Any]:
    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_pydict({"id": batch.column("id"), "price": batch.column("price")})

    mapped = orders(spark).repartition(PARTS, "customer").mapInArrow(count, "id long, price long")
    return rows(mapped.groupBy((f.col("id") % 10).alias("bucket")).agg(f.sum("price")))


def rdd_group_by_key(spark: SparkSession) -> list[Any]:
    pairs = spark.sparkContext.parallelize(range(ROWS // 10), PARTS).map(lambda number: (number % KEYS, {"n": number}))
    return sorted(pairs.groupByKey(PARTS).mapValues(lambda group: sorted(one["n"] for one in group)).collect())


def rdd_aggregate_by_key(spark: SparkSession) -> list[Any]:
    pairs = spark.sparkContext.parallelize(range(ROWS // 10), PARTS).map(lambda number: (number % KEYS, number))
    return sorted(
        pairs.aggregateByKey(
            (0, 0), lambda a, n: (a[0] + n, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
        ).collect()
    )


def rdd_cogroup(spark: SparkSession) -> list[Any]:
    numbers = spark.sparkContext.parallelize(range(ROWS // 10), PARTS)
    one = numbers.map(lambda number: (f"k{number % KEYS}", number))
    other = numbers.map(lambda number: (f"k{number % 7}", (number, str(number))))
    grouped = one.cogroup(other, PARTS).mapValues(lambda both: (sum(both[0]), sum(pair[0] for pair in both[1])))
    return sorted(grouped.collect())


def rdd_sort_by_key(spark: SparkSession) -> list[Any]:
    numbers = spark.sparkContext.parallelize(range(ROWS // 10), PARTS)
    return (
        numbers.map(lambda number: (number * 7919 % ROWS, number)).sortByKey(numPartitions=PARTS).keys().collect()[::20]
    )


def to_pandas(spark: SparkSession) -> list[Any]:
    table = orders(spark).groupBy("customer").agg(f.sum("price").alias("price")).orderBy("customer").toPandas()
    return table.values.tolist()


def to_pandas_without_arrow(spark: SparkSession) -> list[Any]:
    spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", "false")
    try:
        return to_pandas(spark)
    finally:
        spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", "true")


def streaming_state(spark: SparkSession) -> list[Any]:
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        source = str(place / "in")
        orders(spark).write.parquet(source)
        stream = spark.readStream.schema("id long, customer long, price long, name string").parquet(source)
        query = (
            stream.groupBy("customer")
            .agg(f.sum("price"), f.count("*"))
            .writeStream.outputMode("complete")
            .format("memory")
            .queryName("bolt_kinds")
            .option("checkpointLocation", str(place / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return rows(spark.table("bolt_kinds"))


KINDS: list[Callable[[SparkSession], list[Any]]] = [
    join,
    outer_join,
    self_join,
    skewed_join,
    broadcast_join,
    broadcast_variable,
    aggregate,
    distinct,
    sort,
    window,
    pivot,
    repartition,
    cache,
    python_udf,
    pandas_udf,
    pandas_aggregate,
    apply_in_pandas,
    cogroup_in_pandas,
    map_in_arrow,
    rdd_group_by_key,
    rdd_aggregate_by_key,
    rdd_cogroup,
    rdd_sort_by_key,
    to_pandas,
    to_pandas_without_arrow,
    streaming_state,
]
