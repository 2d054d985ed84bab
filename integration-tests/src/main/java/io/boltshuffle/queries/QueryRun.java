package io.boltshuffle.queries;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs every query of a directory, with adaptive execution and without, and writes a line for each:
 * {@code QueryRun <tpch|tpcds> <tables> <queries> <results>}. The result of a query that fails is its error; stock
 * Spark decides whether that is right.
 */
public final class QueryRun {
    private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

    private QueryRun() {}

    public static void main(String[] args) throws IOException {
        try (SparkSession spark = SparkSession.builder().appName("QueryRun").getOrCreate();
                PrintWriter results = new PrintWriter(Path.of(args[3]).toFile(), StandardCharsets.UTF_8)) {
            QueryTables.register(spark, Benchmark.named(args[0]), args[1]);
            for (Path query : queries(Path.of(args[2]))) {
                for (boolean adaptive : new boolean[] {true, false}) {
                    spark.conf().set(ADAPTIVE, adaptive);
                    String name =
                            query.getFileName().toString().replace(".sql", "") + (adaptive ? "" : ", not adaptive");
                    results.println(new QueryResult(name, answer(spark, Files.readString(query))).line());
                    results.flush();
                    System.out.println(name);
                }
            }
        }
    }

    private static List<Path> queries(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static String answer(SparkSession spark, String query) {
        try {
            List<Row> rows = spark.sql(query).collectAsList();
            return rows.size() + " rows " + RowDigest.of(rows);
        } catch (Exception e) { // AnalysisException is checked, and thrown by Scala without being declared
            return "failed: "
                    + (e instanceof AnalysisException
                            ? "analysis"
                            : e.getClass().getName());
        }
    }
}
