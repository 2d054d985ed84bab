package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose state is kept from batch to batch, and from one driver to the next by its checkpoint. */
@Tag("ladder")
class StatefulStreamTest {
    private static final int KEYS = 100;
    private static final int ROWS_OF_A_BATCH = 1_000;
    private static final int TEXT_BYTES = 400;
    private static final String TEXT = new Random(7)
            .ints(TEXT_BYTES, 'a', 'z' + 1)
            .mapToObj(letter -> String.valueOf((char) letter))
            .collect(Collectors.joining());

    private final Path directory;
    private final Path input;

    /** What the stream said of each key last, and the batches in which it said something. */
    private final Map<Integer, Long> counts = new HashMap<>();

    private final List<Long> batches = new ArrayList<>();

    StatefulStreamTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.input = Files.createDirectories(directory.resolve("input"));
    }

    @Test
    void eachRowIsCountedOnceOverARestartFromTheCheckpoint() throws Exception {
        expectCountedOnce(ShuffleKind.OURS, 5);
    }

    @Test
    void eachRowOfAHundredBatchesIsCountedOnceOverARestart() throws Exception {
        expectCountedOnce(ShuffleKind.OURS, 50);
    }

    @Test
    void eachRowIsCountedOnceOverARestartInStockSpark() throws Exception {
        expectCountedOnce(ShuffleKind.STOCK, 5);
    }

    private void expectCountedOnce(ShuffleKind shuffle, int batchesOfADriver) throws Exception {
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            for (int driver = 1; driver <= 2; driver++) {
                for (int batch = 0; batch < batchesOfADriver; batch++) {
                    addInput("driver-" + driver + "-batch-" + batch);
                }
                long before = agents.servedBytes();
                try (SparkSession spark = SparkSession.builder()
                        .config(shuffle.applyTo(agents.applyTo(hosts.applicationConf("stateful-stream"))))
                        .config("spark.sql.shuffle.partitions", 4)
                        .getOrCreate()) {
                    stream(spark);
                }

                long rows = (long) driver * batchesOfADriver * ROWS_OF_A_BATCH;
                assertThat(counts)
                        .isEqualTo(IntStream.range(0, KEYS)
                                .boxed()
                                .collect(Collectors.toMap(key -> key, key -> rows / KEYS)));
                assertThat(agents.servedBytes() > before).isEqualTo(shuffle == ShuffleKind.OURS);
            }
            assertThat(batches)
                    .isEqualTo(
                            LongStream.range(0, 2L * batchesOfADriver).boxed().toList());
        }
    }

    /** Reads what came since the checkpoint, a file in each batch, and counts what each key had so far. */
    private void stream(SparkSession spark) throws Exception {
        VoidFunction2<Dataset<Row>, Long> note = (changed, batch) -> {
            batches.add(batch);
            changed.collectAsList().forEach(row -> counts.put(row.getInt(0), row.getLong(1)));
        };
        StreamingQuery query = spark.readStream()
                .schema("key INT, text STRING")
                .option("maxFilesPerTrigger", 1)
                .json(input.toString())
                .groupBy("key")
                .agg(Map.of("key", "count", "text", "max"))
                .selectExpr("key", "`count(key)`")
                .writeStream()
                .outputMode("update")
                .option("checkpointLocation", directory.resolve("checkpoint").toString())
                .trigger(Trigger.AvailableNow())
                .foreachBatch(note)
                .start();
        assertThat(query.awaitTermination(TimeUnit.MINUTES.toMillis(5))).isTrue();
    }

    /** Complete at once, because the stream may look at any time. */
    private void addInput(String name) throws IOException {
        Path draft = Files.write(
                directory.resolve(name),
                IntStream.range(0, ROWS_OF_A_BATCH)
                        .mapToObj(row -> "{\"key\":%d,\"text\":\"%d%s\"}".formatted(row % KEYS, row, TEXT))
                        .toList());
        Files.move(draft, input.resolve(name + ".json"));
    }
}
