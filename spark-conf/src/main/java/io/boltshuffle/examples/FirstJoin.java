package io.boltshuffle.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;

/**
 * Joins two columns of numbers that it makes itself, so that it needs no file, and prints how much came from other
 * hosts by RDMA: {@code FirstJoin [<rows>]}.
 */
public final class FirstJoin {
    private static final long ROWS = 50_000_000;
    /** Executors report after their tasks. */
    private static final int MOST_LOOKS = 10;

    private FirstJoin() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        long rows = args.length == 0 ? ROWS : Long.parseLong(args[0]);
        try (SparkSession spark = SparkSession.builder().appName("FirstJoin").getOrCreate()) {
            Dataset<Long> numbers = spark.range(rows);
            System.out.printf(
                    "FirstJoin: %d rows, %s%n",
                    numbers.hint("merge").join(spark.range(rows), "id").count(), share(spark.sparkContext()));
        }
    }

    private static String share(SparkContext context) throws InterruptedException {
        if (context.uiWebUrl().isEmpty()) {
            return "and no UI that tells how";
        }
        String tab = context.uiWebUrl().get() + "/boltshuffle/json/";
        try {
            JsonNode told = read(tab);
            for (int look = 1; look < MOST_LOOKS && isEarly(told); look++) {
                TimeUnit.SECONDS.sleep(1);
                told = read(tab);
            }
            return String.format(
                    Locale.ROOT,
                    "%.1f MiB from other hosts, %.0f %% of them by RDMA%s",
                    told.path("remoteBytes").asLong() / 1048576.0,
                    Math.floor(100 * told.path("rdmaShare").asDouble()),
                    because(told.path("tcpReasons").path(0)));
        } catch (IOException e) {
            return "without the plugin: there is no " + tab;
        }
    }

    private static String because(JsonNode reason) {
        return reason.path("bytes").asLong() == 0
                ? ""
                : "; TCP because: " + reason.path("reason").asText().replace('_', ' ') + ". "
                        + reason.path("remedy").asText();
    }

    private static boolean isEarly(JsonNode told) {
        return told.path("remoteBytes").asLong() == 0 && told.path("hosts").size() != 1;
    }

    private static JsonNode read(String url) throws IOException {
        try (InputStream answer = URI.create(url).toURL().openStream()) {
            return new ObjectMapper().readTree(answer);
        }
    }
}
