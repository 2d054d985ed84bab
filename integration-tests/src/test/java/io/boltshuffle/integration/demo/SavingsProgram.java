package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * A Spark program that shuffles with Spark's own shuffle and leaves an event log of each kind that a Spark writes:
 * {@code SavingsProgram <event logs>}.
 */
public final class SavingsProgram {
    /** Above the threshold of the bypass writer. */
    static final int QUERY_PARTITIONS = 300;

    /** The kinds of event logs, by name. One has the defaults of the release, which differ from release to release. */
    static final Map<String, Map<String, String>> KINDS = Map.of(
            "as-it-comes",
            Map.of(),
            "plain",
            Map.of("spark.eventLog.rolling.enabled", "false", "spark.eventLog.compress", "false"),
            "rolled",
            Map.of("spark.eventLog.rolling.enabled", "true", "spark.eventLog.compress", "false"),
            "lz4",
            compressed("lz4"),
            "snappy",
            compressed("snappy"),
            "zstd",
            compressed("zstd"));

    private SavingsProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path eventLogs = Files.createDirectories(Path.of(arguments[0]));
        KINDS.forEach((name, settings) -> {
            SparkConf conf = new SparkConf()
                    .setAppName(name)
                    .set("spark.shuffle.manager", "sort")
                    .set("spark.plugins", "")
                    .set("spark.ui.enabled", "false")
                    .set("spark.eventLog.enabled", "true")
                    .set("spark.eventLog.dir", eventLogs.toUri().toString())
                    .set("spark.sql.shuffle.partitions", Integer.toString(QUERY_PARTITIONS));
            settings.forEach(conf::set);
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                shuffle(context);
            }
        });
    }

    /** Writes with each of Spark's writers: serialized rows of a query, sorted pairs, combined pairs. */
    static void shuffle(JavaSparkContext context) {
        var pairs = context.parallelize(List.of(1, 2, 3, 4), 4).mapToPair(number -> new Tuple2<>(number % 2, number));
        pairs.groupByKey(2).collect();
        pairs.reduceByKey(Integer::sum, 2).collect();
        SparkSession.builder()
                .getOrCreate()
                .range(0, 1_000, 1, 4)
                .selectExpr("id % 100 AS k")
                .groupBy("k")
                .count()
                .count();
    }

    private static Map<String, String> compressed(String codec) {
        return Map.of(
                "spark.eventLog.rolling.enabled",
                "false",
                "spark.eventLog.compress",
                "true",
                "spark.eventLog.compression.codec",
                codec);
    }
}
