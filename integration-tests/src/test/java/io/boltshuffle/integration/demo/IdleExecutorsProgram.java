package io.boltshuffle.integration.demo;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * A Spark program that reads one shuffle's outputs, waits until no executor is left, and reads them again three times:
 * {@code IdleExecutorsProgram}. It fails if an answer differs or a map runs again, and prints the release of its Spark.
 * Executors need no class of it.
 */
public final class IdleExecutorsProgram {
    static final String RELEASE = "release: ";

    private static final int ROWS = 100_000;
    private static final int KEYS = 200;
    private static final int ROW_BYTES = 160; // of a row of a number and 128 digits, with its lengths
    private static final int READINGS_AFTERWARDS = 3;

    /**
     * The most bytes that one reading fetches from the other host: all rows, uncompressed. Usually it is half of them.
     */
    static final long READ_BYTES = (long) ROWS * ROW_BYTES;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private IdleExecutorsProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            SparkContext context = spark.sparkContext();
            AtomicInteger maps = countMaps(context);
            // The same plan's rows each time: its shuffle is written once.
            JavaRDD<Row> rows = spark.range(0, ROWS, 1, 6)
                    .selectExpr("id % " + KEYS + " AS k", "sha2(cast(id AS string), 512) AS v")
                    .repartition(4, functions.col("k"))
                    .groupBy("k")
                    .agg(functions.count("*"), functions.max("v"))
                    .toJavaRDD();
            List<String> first = sorted(rows);
            require(first.size() == KEYS, first.size() + " keys");
            require(
                    first.stream().allMatch(row -> row.contains("," + ROWS / KEYS + ",")),
                    "a key without its " + ROWS / KEYS + " rows");
            int written = settled(context, maps);
            require(written > 0, "no map ran");

            await().atMost(PATIENCE).until(() -> context.getExecutorIds().isEmpty());
            for (int reading = 0; reading < READINGS_AFTERWARDS; reading++) {
                require(sorted(rows).equals(first), "another answer than before");
            }
            int again = settled(context, maps);
            require(again == written, again - written + " maps ran again");
            System.out.println(RELEASE + context.version());
        }
    }

    private static AtomicInteger countMaps(SparkContext context) {
        AtomicInteger maps = new AtomicInteger();
        context.addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                maps.addAndGet(end.taskType().equals("ShuffleMapTask") ? 1 : 0);
            }
        });
        return maps;
    }

    /** Events come some time after what they tell of. */
    private static int settled(SparkContext context, AtomicInteger maps) throws Exception {
        context.listenerBus().waitUntilEmpty();
        return maps.get();
    }

    private static List<String> sorted(JavaRDD<Row> rows) {
        return rows.collect().stream().map(Row::toString).sorted().toList();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
