package io.boltshuffle.examples;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.countDistinct;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_json;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;

/**
 * Asks the questions of a first look at a data set, as one does in a notebook: {@code SalesWalk <tables> [<output>]}.
 * It prints the answers or, for another program, writes them.
 */
public final class SalesWalk {
    private static final int QUARTER_DAYS = 91;

    private SalesWalk() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            Usage.require(args, 1, "SalesWalk <tables> [<output>]");
        }
        try (SparkSession spark = SparkSession.builder().appName("SalesWalk").getOrCreate()) {
            Dataset<Row> orders = TpchGen.read(spark, args[0], TpchSource.ORDERS);
            Dataset<Row> sales = orders.join(
                    TpchGen.read(spark, args[0], TpchSource.CUSTOMER),
                    col("o_custkey").equalTo(col("c_custkey")));
            Map<String, Dataset<Row>> answers = new LinkedHashMap<>();
            answers.put("segments", segments(sales));
            answers.put("quarters", quarters(sales));
            answers.put("best customers", bestCustomers(sales));
            if (args.length == 1) {
                answers.values().forEach(Dataset::show);
            } else {
                together(answers).write().parquet(args[1]);
            }
        }
    }

    /** Returns a row for each row of each answer. */
    private static Dataset<Row> together(Map<String, Dataset<Row>> answers) {
        return answers.entrySet().stream()
                .map(answer -> answer.getValue()
                        .select(
                                lit(answer.getKey()).as("question"),
                                to_json(struct(col("*"))).as("answer")))
                .reduce(Dataset::union)
                .orElseThrow();
    }

    /** Says which segments buy, and how much at a time. */
    private static Dataset<Row> segments(Dataset<Row> sales) {
        return sales.groupBy("c_mktsegment")
                .agg(
                        countDistinct("c_custkey").as("customers"),
                        count(lit(1)).as("orders"),
                        avg("o_totalprice").cast("decimal(12,2)").as("mean_order"))
                .orderBy(col("mean_order").desc());
    }

    /** Says whether sales grow: revenue by quarter, and so far. */
    private static Dataset<Row> quarters(Dataset<Row> sales) {
        return sales.groupBy(floor(col("o_orderday").divide(QUARTER_DAYS)).as("quarter"))
                .agg(sum("o_totalprice").as("revenue"))
                .withColumn("so_far", sum("revenue").over(Window.orderBy("quarter")))
                .orderBy("quarter");
    }

    /** Names the three best customers of each segment. */
    private static Dataset<Row> bestCustomers(Dataset<Row> sales) {
        return sales.groupBy("c_mktsegment", "c_custkey")
                .agg(sum("o_totalprice").as("revenue"))
                .withColumn(
                        "place",
                        row_number()
                                .over(Window.partitionBy("c_mktsegment")
                                        .orderBy(col("revenue").desc(), col("c_custkey"))))
                .where(col("place").leq(3))
                .orderBy("c_mktsegment", "place");
    }
}
