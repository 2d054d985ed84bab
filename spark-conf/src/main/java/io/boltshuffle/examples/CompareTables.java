package io.boltshuffle.examples;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Compares two Parquet tables row by row: {@code CompareTables <expected> <actual>}. It ignores the order of rows, but
 * counts repetitions. A difference ends the program with an error that shows a row.
 */
public final class CompareTables {
    private CompareTables() {}

    public static void main(String[] args) throws IOException {
        Usage.require(args, 2, "CompareTables <expected> <actual>");
        try (SparkSession spark =
                SparkSession.builder().appName("CompareTables").getOrCreate()) {
            Dataset<Row> expected = spark.read().parquet(args[0]);
            Dataset<Row> actual = spark.read().parquet(args[1]);
            if (!expected.schema().equals(actual.schema())) {
                throw new IllegalStateException(
                        args[1] + " has columns " + actual.schema() + " in place of " + expected.schema());
            }
            requireNone(expected.exceptAll(actual), "row missing in " + args[1]);
            requireNone(actual.exceptAll(expected), "row too many in " + args[1]);
            long rows = expected.count();
            if (rows == 0) {
                throw new IllegalStateException(args[0] + " is empty: nothing was compared");
            }
            System.out.printf("CompareTables: %s: %d rows, equal%n", args[1], rows);
        }
    }

    private static void requireNone(Dataset<Row> rows, String what) {
        rows.takeAsList(1).stream().findFirst().ifPresent(row -> {
            throw new IllegalStateException(what + ": " + row);
        });
    }
}
