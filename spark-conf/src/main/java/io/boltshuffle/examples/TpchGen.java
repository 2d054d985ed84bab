package io.boltshuffle.examples;

import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes the TPC-H tables of {@link FeaturePrep} as Parquet: {@code TpchGen <scale factor> <files> <output directory>}.
 */
public final class TpchGen {
    private TpchGen() {}

    public static void main(String[] args) throws IOException {
        Usage.require(args, 3, "TpchGen <scale factor> <files> <output directory>");
        double scale = Double.parseDouble(args[0]);
        int files = Integer.parseInt(args[1]);
        try (SparkSession spark = SparkSession.builder().appName("TpchGen").getOrCreate()) {
            JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
            for (TpchSource table : TpchSource.values()) {
                JavaRDD<Row> rows = context.parallelize(
                                IntStream.rangeClosed(1, files).boxed().toList(), files)
                        .flatMap(part -> table.rows(scale, part, files));
                spark.createDataFrame(rows, table.schema()).write().parquet(path(args[2], table));
            }
        }
    }

    /** Reads a table that this program wrote. */
    static Dataset<Row> read(SparkSession spark, String directory, TpchSource table) {
        return spark.read().schema(table.schema()).parquet(path(directory, table));
    }

    private static String path(String directory, TpchSource table) {
        return directory + "/" + table.name().toLowerCase(java.util.Locale.ROOT);
    }
}
