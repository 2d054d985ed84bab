package io.boltshuffle.integration.demo;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * A Spark program that reads one shuffle's outputs, waits until no executor is left, and reads them again three times:
 * {@code IdleExecutorsProgram}. It fails if an answer differs or a map runs again. Both hosts write, so each reading
 * fetches something, and it prints how much the first one did. Executors need no class of it.
 */
public final class IdleExecutorsProgram {
    static final String RELEASE = "release: ";

    /** Stands before the number of bytes that the first reading fetched from the other host. */
    static final String FIRST = "bytes of the first reading: ";

    private static final int ROWS = 100_000;
    private static final int KEYS = 200;
    private static final int READINGS_AFTERWARDS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private IdleExecutorsProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            SparkContext context = spark.sparkContext();
            Counts counts = new Counts();
            context.addSparkListener(counts);
            await().atMost(PATIENCE).until(() -> context.getExecutorIds().size() == 2); // so that each writes
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
            context.listenerBus().waitUntilEmpty(); // events come some time after what they tell of
            int written = counts.maps.get();
            require(written > 0, "no map ran");
            System.out.println(FIRST + counts.fetchedBytes.get());

            await().atMost(PATIENCE).until(() -> context.getExecutorIds().isEmpty());
            for (int reading = 0; reading < READINGS_AFTERWARDS; reading++) {
                require(sorted(rows).equals(first), "another answer than before");
            }
            context.listenerBus().waitUntilEmpty();
            int again = counts.maps.get() - written;
            require(again == 0, again + " maps ran again");
            System.out.println(RELEASE + context.version());
        }
    }

    private static final class Counts extends SparkListener {
        private final AtomicInteger maps = new AtomicInteger();
        private final AtomicLong fetchedBytes = new AtomicLong();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            maps.addAndGet(end.taskType().equals("ShuffleMapTask") ? 1 : 0);
            fetchedBytes.addAndGet(end.taskMetrics().shuffleReadMetrics().remoteBytesRead());
        }
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
