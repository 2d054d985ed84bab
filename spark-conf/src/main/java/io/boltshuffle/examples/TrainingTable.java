package io.boltshuffle.examples;

import static org.apache.spark.sql.functions.abs;
import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.hash;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;

/**
 * Makes a table for training a model that predicts whether a customer orders within the last half year of the data:
 * {@code TrainingTable <tables> <output>}. Features come from before that half year only; categories become one column
 * each, balances become buckets, and a customer is always on the same side of the split.
 */
public final class TrainingTable {
    private static final int LABEL_DAYS = 182;
    private static final List<String> SEGMENTS =
            List.of("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY");
    private static final List<Integer> BALANCE_BOUNDS = List.of(0, 2_500, 5_000, 7_500);
    private static final int TEST_PERCENT = 20;

    private TrainingTable() {}

    public static void main(String[] args) throws IOException {
        Usage.require(args, 2, "TrainingTable <tables> <output>");
        try (SparkSession spark =
                SparkSession.builder().appName("TrainingTable").getOrCreate()) {
            Dataset<Row> customers = TpchGen.read(spark, args[0], TpchSource.CUSTOMER);
            Dataset<Row> orders = TpchGen.read(spark, args[0], TpchSource.ORDERS);
            of(customers, orders, lastDayOfFeatures(orders))
                    .repartition(4, col("c_custkey"))
                    .sortWithinPartitions("c_custkey")
                    .write()
                    .partitionBy("split")
                    .parquet(args[1]);
            System.out.println("TrainingTable: split=train and split=test in " + args[1]);
        }
    }

    /** Returns the last day of the features. The model predicts what comes later, so no feature may contain it. */
    static int lastDayOfFeatures(Dataset<Row> orders) {
        return orders.agg(max("o_orderday")).first().getInt(0) - LABEL_DAYS;
    }

    /** Returns a row for each customer who ordered until {@code lastDay}. */
    static Dataset<Row> of(Dataset<Row> customers, Dataset<Row> orders, int lastDay) {
        return encoded(customers)
                .join(history(orders.where(col("o_orderday").leq(lastDay)), lastDay), "c_custkey")
                .join(labels(orders.where(col("o_orderday").gt(lastDay))), "c_custkey", "left")
                .withColumn("label", coalesce(col("label"), lit(0)))
                .withColumn(
                        "split",
                        when(abs(hash(col("c_custkey"))).mod(100).lt(TEST_PERCENT), "test")
                                .otherwise("train"));
    }

    /** Returns one column for each segment, and the number of the bucket of the balance. */
    private static Dataset<Row> encoded(Dataset<Row> customers) {
        Dataset<Row> table = customers;
        for (String segment : SEGMENTS) {
            table = table.withColumn(
                    "segment_" + segment.toLowerCase(Locale.ROOT),
                    col("c_mktsegment").equalTo(segment).cast("int"));
        }
        Column bucket = lit(0);
        for (int bound : BALANCE_BOUNDS) {
            bucket = bucket.plus(col("c_acctbal").geq(bound).cast("int"));
        }
        return table.withColumn("balance_bucket", bucket).drop("c_mktsegment");
    }

    /** Describes how often, how much and how regularly a customer ordered until {@code lastDay}. */
    private static Dataset<Row> history(Dataset<Row> orders, int lastDay) {
        Column before =
                lag(col("o_orderday"), 1).over(Window.partitionBy("o_custkey").orderBy("o_orderday", "o_orderkey"));
        return orders.withColumn("gap", col("o_orderday").minus(before))
                .groupBy(col("o_custkey").as("c_custkey"))
                .agg(
                        count(lit(1)).as("orders"),
                        sum("o_totalprice").as("spent"),
                        avg("gap").as("mean_gap_days"),
                        lit(lastDay).minus(max("o_orderday")).as("days_since_last"));
    }

    private static Dataset<Row> labels(Dataset<Row> later) {
        return later.select(col("o_custkey").as("c_custkey")).distinct().withColumn("label", lit(1));
    }
}
