package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** Kinds of queries that shuffle, over tables of whole numbers, so that sums have no order. */
enum SqlKind {
    JOIN("SELECT id % 10, count(*), sum(price), sum(crc32(name)) FROM orders JOIN customers USING (customer)"
            + " GROUP BY 1"),
    OUTER_JOIN("SELECT segment, count(*), sum(price) FROM orders FULL OUTER JOIN"
            + " (SELECT * FROM customers WHERE customer % 3 = 0) USING (customer) GROUP BY segment"),
    SELF_JOIN("SELECT one.customer, sum(one.price - other.price) FROM orders one JOIN orders other"
            + " ON one.id = other.id + 1 GROUP BY one.customer"),
    SKEWED_JOIN("SELECT segment, count(*), sum(price) FROM"
            + " (SELECT if(id % 10 < 9, 1, customer) AS customer, price FROM orders) JOIN customers USING (customer)"
            + " GROUP BY segment"),
    BROADCAST_JOIN("SELECT /*+ BROADCAST(customers) */ segment, sum(price) FROM orders JOIN customers USING (customer)"
            + " GROUP BY segment"),
    SEMI_JOIN("SELECT count(*), sum(price) FROM orders WHERE customer IN (SELECT balance FROM customers)"),
    AGGREGATE("SELECT customer, sum(price), min(name), max(name), count(DISTINCT price) FROM orders GROUP BY customer"),
    ROLLUP("SELECT segment, customer, sum(price) FROM orders JOIN customers USING (customer)"
            + " GROUP BY ROLLUP (segment, customer)"),
    DISTINCT("SELECT DISTINCT customer, price % 20 FROM orders"),
    INTERSECTION("SELECT price FROM orders INTERSECT SELECT balance FROM customers"),
    SORT("SELECT concat_ws(' ', collect_list(name)) FROM"
            + " (SELECT name FROM (SELECT name, price FROM orders ORDER BY price DESC, name) LIMIT 100)"),
    WINDOW("SELECT customer, max(gap), sum(gap) FROM"
            + " (SELECT customer, id - lag(id) OVER (PARTITION BY customer ORDER BY id) AS gap FROM orders)"
            + " GROUP BY customer"),
    PIVOT("SELECT * FROM (SELECT customer, segment, price FROM orders JOIN customers USING (customer))"
            + " PIVOT (sum(price) FOR segment IN (0, 1, 2, 3, 4))"),
    REPARTITION("SELECT id % 10, sum(price) FROM (SELECT /*+ REPARTITION(7, name) */ * FROM orders) GROUP BY 1"),
    ROUND_ROBIN("SELECT id % 10, sum(price) FROM (SELECT /*+ REPARTITION(5) */ * FROM orders) GROUP BY 1"),
    RANGES("SELECT sum(price) FROM (SELECT /*+ REPARTITION_BY_RANGE(6, price) */ * FROM orders)"),
    NESTED("SELECT customer, size(sort_array(collect_set(one.price))) FROM"
            + " (SELECT /*+ REPARTITION(4, customer) */ customer, named_struct('id', id, 'price', price) AS one"
            + " FROM orders) GROUP BY customer"),
    DECIMALS("SELECT customer, sum(cast(price AS decimal(20, 2)) / 4),"
            + " max(date_add(DATE'2026-11-28', cast(price AS int))) FROM orders GROUP BY customer"),
    FUNCTION_OF_THE_USERS("SELECT customer, min(backwards(name)), max(backwards(name)) FROM orders GROUP BY customer");

    private static final int CUSTOMERS = 50;
    private static final int PARTS = 4;

    private final String sql;

    SqlKind(String sql) {
        this.sql = sql;
    }

    /** Writes the tables as Parquet files, which every executor can read. */
    static void write(SparkSession spark, Path directory, int orders) {
        spark.range(0, orders, 1, PARTS)
                .selectExpr(
                        "id",
                        "id * id % " + CUSTOMERS + " AS customer",
                        "id * 31 % 1000 AS price",
                        "concat('order-', id) AS name")
                .write()
                .parquet(directory.resolve("orders").toString());
        spark.range(0, CUSTOMERS, 1, PARTS)
                .selectExpr("id AS customer", "id % 5 AS segment", "id * 7 AS balance")
                .write()
                .parquet(directory.resolve("customers").toString());
    }

    /** Makes the tables known to a session, and lets every join and aggregation shuffle. */
    static void prepare(SparkSession spark, Path directory) {
        Stream.of("orders", "customers")
                .forEach(table -> spark.read()
                        .parquet(directory.resolve(table).toString())
                        .createOrReplaceTempView(table));
        spark.udf()
                .register(
                        "backwards",
                        (String name) -> new StringBuilder(name).reverse().toString(),
                        DataTypes.StringType);
        spark.conf().set("spark.sql.shuffle.partitions", Integer.toString(PARTS));
        spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    }

    Dataset<Row> query(SparkSession spark) {
        return spark.sql(sql);
    }

    /** Returns the rows in an order of their own, because that of arrival is no part of the answer. */
    List<String> answer(SparkSession spark) {
        return query(spark).collectAsList().stream().map(Row::toString).sorted().toList();
    }
}
