package io.boltshuffle.proof.queries.inspark;

import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes a benchmark's tables as Parquet: {@code QueryTables <tpch|tpcds> <scale factor> <files> <output directory>}.
 * Each table is spread evenly over the files. With one file, one task would map a whole table, and one host would have
 * all map output.
 */
public final class QueryTables {
    private QueryTables() {}

    public static void main(String[] args) throws IOException {
        Benchmark benchmark = Benchmark.named(args[0]);
        double scale = Double.parseDouble(args[1]);
        int files = Integer.parseInt(args[2]);
        try (SparkSession spark = SparkSession.builder().appName("QueryTables").getOrCreate()) {
            for (String table : benchmark.tables()) {
                write(spark, benchmark, table, scale, files, args[3]);
            }
        }
    }

    /**
     * Writes the tables. The generator of TPC-DS makes all of a table in its first part, unless that has a million
     * entries.
     */
    static void write(
            SparkSession spark, Benchmark benchmark, String table, double scale, int files, String directory) {
        JavaRDD<Row> rows = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.rangeClosed(1, files).boxed().toList(), files)
                .flatMap(part -> benchmark.rows(table, scale, part, files));
        spark.createDataFrame(rows, benchmark.schema(table))
                .repartition(files)
                .write()
                .parquet(path(directory, table));
    }

    private static String path(String directory, String table) {
        return directory + "/" + table;
    }
}
