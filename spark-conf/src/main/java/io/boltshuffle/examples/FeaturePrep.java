package io.boltshuffle.examples;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.countDistinct;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * Makes {@link TrainingTable} at full width: {@code FeaturePrep <input> <output directory>}. It adds to each row what
 * the customer bought, from four joined tables and a pivot, and how the orders follow each other, from two windows.
 */
public final class FeaturePrep {
    private static final List<String> SHIP_MODES = List.of("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK");
    private static final List<String> RETURN_FLAGS = List.of("A", "N", "R");
    private static final List<String> PRIORITIES =
            List.of("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW");
    private static final List<String> BRANDS = IntStream.rangeClosed(1, 5)
            .boxed()
            .flatMap(maker -> IntStream.rangeClosed(1, 5).mapToObj(brand -> "Brand#" + maker + brand))
            .toList();

    private FeaturePrep() {}

    public static void main(String[] args) throws IOException {
        Usage.require(args, 2, "FeaturePrep <input> <output directory>");
        try (SparkSession spark = SparkSession.builder()
                .appName("FeaturePrep")
                .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .getOrCreate()) {
            prepare(spark, args[0], args[1]);
        }
    }

    /**
     * @param input where {@link TpchGen} wrote its tables
     * @param output a directory that does not exist yet
     */
    public static void prepare(SparkSession spark, String input, String output) {
        Dataset<Row> orders = TpchGen.read(spark, input, TpchSource.ORDERS);
        Dataset<Row> customers = TpchGen.read(spark, input, TpchSource.CUSTOMER);
        int lastDay = TrainingTable.lastDayOfFeatures(orders);
        Dataset<Row> past = orders.where(col("o_orderday").leq(lastDay));
        Dataset<Row> purchases = TpchGen.read(spark, input, TpchSource.LINEITEM)
                .join(past, col("l_orderkey").equalTo(col("o_orderkey")))
                .join(
                        TpchGen.read(spark, input, TpchSource.PART),
                        col("l_partkey").equalTo(col("p_partkey")))
                .withColumnRenamed("o_custkey", "c_custkey");
        TrainingTable.of(customers, orders, lastDay)
                .join(basket(purchases), "c_custkey")
                .join(sequence(past, customers), "c_custkey")
                .orderBy("c_custkey")
                .write()
                .partitionBy("split")
                .parquet(output);
    }

    /** Describes what and how a customer buys, in some seventy sums and counts. */
    private static Dataset<Row> basket(Dataset<Row> purchases) {
        Column revenue = col("l_price").multiply(lit(100).minus(col("l_discount")));
        List<Column> features = new ArrayList<>(List.of(
                sum(revenue).as("revenue"),
                countDistinct(col("l_partkey")).as("parts"),
                countDistinct(col("l_suppkey")).as("suppliers"),
                max(col("p_retailprice")).as("dearest_part"),
                avg(col("p_size")).as("mean_part_size"),
                max(col("l_receiptday").minus(col("l_shipday"))).as("longest_transit_days")));
        pivot(features, "l_shipmode", SHIP_MODES, revenue);
        pivot(features, "l_returnflag", RETURN_FLAGS, revenue);
        pivot(features, "o_orderpriority", PRIORITIES, revenue);
        pivot(features, "p_brand", BRANDS, col("l_quantity"));
        return purchases.groupBy("c_custkey").agg(count(lit(1)).as("items"), features.toArray(Column[]::new));
    }

    private static void pivot(List<Column> features, String column, List<String> values, Column measure) {
        for (String value : values) {
            String name = (column + "_" + value).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
            Column here = col(column).equalTo(value);
            features.add(sum(when(here, measure)).as(name + "_sum"));
            features.add(count(when(here, lit(1))).as(name + "_count"));
        }
    }

    /** Describes how a customer's orders follow each other, and how they rank in the customer's nation. */
    private static Dataset<Row> sequence(Dataset<Row> orders, Dataset<Row> customers) {
        WindowSpec inTime = Window.partitionBy("c_custkey").orderBy("o_orderday", "o_orderkey");
        WindowSpec inNation = Window.partitionBy("c_nationkey")
                .orderBy(col("o_totalprice").desc(), col("o_orderkey").asc());
        return orders.join(customers, col("o_custkey").equalTo(col("c_custkey")))
                .withColumn(
                        "gap", col("o_orderday").minus(lag(col("o_orderday"), 1).over(inTime)))
                .withColumn("running_total", sum(col("o_totalprice")).over(inTime))
                .withColumn("rank", row_number().over(inNation))
                .groupBy("c_custkey")
                .agg(
                        min(col("gap")).as("shortest_gap_days"),
                        max(col("gap")).as("longest_gap_days"),
                        max(col("running_total")).as("largest_total"),
                        min(col("rank")).as("best_rank_in_nation"));
    }
}
