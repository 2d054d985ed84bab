package io.boltshuffle.integration;

import io.boltshuffle.examples.TeraGen;
import io.boltshuffle.examples.TeraSort;
import io.boltshuffle.examples.TeraValidate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A sort and a query that are done in a moment, and whose results can be compared between runs. */
final class SmallJobs {

    private static final int ROWS = 20_000;
    private static final int PARTITIONS = 4;

    private final Path directory;

    /** @param directory for input and outputs */
    SmallJobs(Path directory) {
        this.directory = directory;
    }

    /**
     * The results of the jobs.
     *
     * @param sorted digest of the sorted rows, in the order of the output's files
     * @param totals of the query, by key
     */
    record Results(String sorted, Map<Long, Long> totals) {}

    static SparkSession session(SparkConf conf) {
        return SparkSession.builder()
                .config(conf)
                .config("spark.sql.autoBroadcastJoinThreshold", -1)
                .config("spark.sql.shuffle.partitions", PARTITIONS)
                .getOrCreate();
    }

    /** Writes the input of the sort. */
    void generate(SparkSession spark) {
        TeraGen.generate(context(spark), ROWS, PARTITIONS, input());
    }

    /** @param name of this run, for its output */
    Results run(SparkSession spark, String name) throws IOException {
        Path output = directory.resolve("sorted-" + name);
        TeraSort.sort(context(spark), input(), output.toString(), PARTITIONS);
        TeraValidate.validate(context(spark), input(), List.of(output.toString()));
        return new Results(digest(output), totals(spark));
    }

    private String input() {
        return directory.resolve("unsorted").toString();
    }

    private static JavaSparkContext context(SparkSession spark) {
        return JavaSparkContext.fromSparkContext(spark.sparkContext());
    }

    private static Map<Long, Long> totals(SparkSession spark) {
        spark.range(ROWS).selectExpr("id", "id % 50 AS k", "id * 3 AS v").createOrReplaceTempView("facts");
        spark.range(ROWS).selectExpr("id", "id % 7 AS w").createOrReplaceTempView("weights");
        Map<Long, Long> totals = new TreeMap<>();
        for (Row row : spark.sql("SELECT k, sum(v * w) FROM facts JOIN weights USING (id) GROUP BY k")
                .collectAsList()) {
            totals.put(row.getLong(0), row.getLong(1));
        }
        return totals;
    }

    private static String digest(Path output) throws IOException {
        MessageDigest digest = sha256();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList()) {
                digest.update(Files.readAllBytes(file));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }
}
