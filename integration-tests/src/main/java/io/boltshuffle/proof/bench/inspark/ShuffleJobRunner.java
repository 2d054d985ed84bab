package io.boltshuffle.proof.bench.inspark;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.max;

import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the jobs of {@link ShuffleJob}.
 *
 * @param bytes of the values that each shuffles, without what the format of their rows adds
 */
record ShuffleJobRunner(SparkSession session, long bytes) {
    private static final int WIDE_PARTITIONS = 64;
    private static final int NARROW_PARTITIONS = 200;
    private static final int MAPS = 8;
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    /** Runs a job. Returns its answer, which is the same with every shuffle. */
    String run(ShuffleJob job) {
        return switch (job) {
            case WIDE -> wide();
            case JOIN -> join();
            case GROUP_BY -> groupBy();
            case NARROW -> narrow();
        };
    }

    private String wide() {
        KeyedRows rows = new KeyedRows(WIDE_PARTITIONS, bytes / KeyedRows.ROW_BYTES);
        JavaPairRDD<Integer, byte[]> shuffled = rows.generate(JavaSparkContext.fromSparkContext(session.sparkContext()))
                .partitionBy(new EvenRanges(WIDE_PARTITIONS));
        RowTotals totals = RowTotals.ofAll(shuffled);
        return totals.rows() + " rows, " + Long.toHexString(totals.sum());
    }

    private String join() {
        Dataset<Row> left = pairs(bytes / 2, 1).withColumnRenamed("value", "left");
        Dataset<Row> right = pairs(bytes / 2, 2).withColumnRenamed("value", "right");
        return answer(left.join(right, "key").selectExpr("count(*)", "bit_xor(left ^ right)"));
    }

    private String groupBy() {
        long keys = Math.max(1, bytes / PAIR_BYTES / 2);
        return answer(pairs(bytes, 1)
                .selectExpr("pmod(hash(key), " + keys + ") as key", "value")
                .groupBy("key")
                .agg(count("value").as("rows"), max("value").as("last"))
                .selectExpr("sum(rows)", "bit_xor(last ^ (key * 31 + rows))"));
    }

    private String narrow() {
        Dataset<Row> rows = pairs(bytes, 1);
        return answer(rows.repartition(NARROW_PARTITIONS, rows.col("key")).selectExpr("count(*)", "bit_xor(value)"));
    }

    /** Keys count up, as those of tables often do; values are spread over all longs, so that they do not compress. */
    private Dataset<Row> pairs(long size, int seed) {
        return session.range(0, size / PAIR_BYTES, 1, MAPS)
                .selectExpr("id as key", "xxhash64(id, " + seed + ") as value");
    }

    private static String answer(Dataset<Row> totals) {
        Row row = totals.collectAsList().get(0);
        return row.getLong(0) + " rows, " + Long.toHexString(row.getLong(1));
    }
}
