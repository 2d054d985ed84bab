package io.boltshuffle.bench;

import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Small jobs that do little besides shuffling, of the kinds that people write by hand. */
public enum ShuffleJob {
    /** Repartitions rows of a kilobyte, 64 x 64. */
    WIDE {
        @Override
        String run(SparkSession session, long bytes) {
            KeyedRows rows = new KeyedRows(WIDE_PARTITIONS, bytes / KeyedRows.ROW_BYTES);
            JavaPairRDD<Integer, byte[]> shuffled = rows.generate(JavaSparkContext.fromSparkContext(session.sparkContext()))
                    .partitionBy(new EvenRanges(WIDE_PARTITIONS));
            RowTotals totals = RowTotals.ofAll(shuffled, false);
            return totals.rows() + " rows, " + Long.toHexString(totals.sum());
        }
    },
    /** Joins two tables of pairs of longs by a key that each of their rows has once. */
    JOIN {
        @Override
        String run(SparkSession session, long bytes) {
            long rows = bytes / 2 / PAIR_BYTES;
            Dataset<Row> left = pairs(session, rows).withColumnRenamed("value", "left");
            Dataset<Row> right = pairs(session, rows).selectExpr("key", "value + 1 as right");
            return answer(left.join(right, "key").selectExpr("count(*)", "bit_xor(left * 31 + right)"));
        }
    },
    /** Counts pairs of longs by a key that about two of them have. */
    GROUP_BY {
        @Override
        String run(SparkSession session, long bytes) {
            long rows = bytes / PAIR_BYTES;
            return answer(session.range(0, rows, 1, MAPS)
                    .selectExpr("pmod(hash(id), " + Math.max(1, rows / 2) + ") as key", "id as value")
                    .groupBy("key")
                    .agg(
                            org.apache.spark.sql.functions.count("value").as("rows"),
                            org.apache.spark.sql.functions.max("value").as("last"))
                    .selectExpr("count(*)", "bit_xor(key + rows * 31 + last)"));
        }
    },
    /** Repartitions pairs of longs, 8 x 200. */
    NARROW {
        @Override
        String run(SparkSession session, long bytes) {
            Dataset<Row> rows = pairs(session, bytes / PAIR_BYTES);
            return answer(rows.repartition(NARROW_PARTITIONS, rows.col("key")).selectExpr("count(*)", "bit_xor(value)"));
        }
    };

    private static final int WIDE_PARTITIONS = 64;
    private static final int NARROW_PARTITIONS = 200;
    private static final int MAPS = 8;
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    /**
     * Runs the job.
     *
     * @param bytes of the values that are shuffled, without what the format of their rows adds
     * @return its answer, the same with every shuffle
     */
    abstract String run(SparkSession session, long bytes);

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Dataset<Row> pairs(SparkSession session, long rows) {
        return session.range(0, rows, 1, MAPS).selectExpr("id as key", "id * 7 as value");
    }

    private static String answer(Dataset<Row> totals) {
        List<Row> rows = totals.collectAsList();
        return rows.get(0).mkString(" rows, ");
    }
}
