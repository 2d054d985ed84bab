package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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

    /** {@code -Dboltshuffle.stream.minutes=60}, beside a {@code -Dtests.timeout.seconds} that is longer. */
    private static final Duration LASTING = Duration.ofMinutes(Long.getLong("boltshuffle.stream.minutes", 1));

    private static final Duration BETWEEN_FILES = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Path input;

    /** The count that the stream gave last for each key. */
    private final Map<Integer, Long> counts = new ConcurrentHashMap<>();

    private final List<Long> batches = Collections.synchronizedList(new ArrayList<>());

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

    /** Rows come all the time: blocks of each batch come by RDMA, and in the end agents hold nothing. */
    @Test
    void eachRowIsCountedOnceForAsLongAsTheStreamRuns() throws Exception {
        try (AgentPair agents = startAgents();
                TwoHosts hosts = TwoHosts.start(directory);
                SparkSession spark = session(ShuffleKind.OURS, agents, hosts)) {
            ShuffleReads reads = ShuffleReads.listeningTo(spark.sparkContext());
            StreamingQuery query = start(spark, Trigger.ProcessingTime(0));
            int files = 0;
            try {
                Instant end = Instant.now().plus(LASTING);
                Instant known = Instant.now().plus(PATIENCE);
                boolean byRdma = false;
                while (Instant.now().isBefore(end)) {
                    long served = agents.servedBytes();
                    long remote = reads.remoteBytes();
                    runBatch(query, "file-" + files++);
                    boolean hasSome = agents.servedBytes() > served;
                    byRdma |= hasSome;
                    // Until agents know each other blocks come by TCP.
                    boolean isEarly = !byRdma && Instant.now().isBefore(known);
                    boolean isLocal = reads.remoteBytes() == remote;
                    assertThat(hasSome || isLocal || isEarly)
                            .as("batch %d came by RDMA", files)
                            .isTrue();
                    Thread.sleep(BETWEEN_FILES.toMillis());
                }
                assertThat(byRdma).isTrue();
            } finally {
                query.stop();
            }

            assertThat(counts).isEqualTo(expected((long) files * ROWS_OF_A_BATCH));
            assertThat(batches).isEqualTo(LongStream.range(0, files).boxed().toList());
            for (String host : TwoHosts.HOSTS) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(agents.status(host)
                                        .at("/memory/pinnedBytes")
                                        .asLong(-1))
                                .isZero());
            }
        }
    }

    private void runBatch(StreamingQuery query, String name) throws IOException {
        addInput(name);
        query.processAllAvailable();
        Files.delete(input.resolve(name + ".json"));
    }

    private AgentPair startAgents() throws IOException {
        return new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
    }

    private static SparkSession session(ShuffleKind shuffle, AgentPair agents, TwoHosts hosts) {
        return SparkSession.builder()
                .config(shuffle.applyTo(agents.applyTo(hosts.applicationConf("stateful-stream"))))
                .config("spark.sql.shuffle.partitions", 4)
                .getOrCreate();
    }

    private static Map<Integer, Long> expected(long rows) {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> rows / KEYS));
    }

    private void expectCountedOnce(ShuffleKind shuffle, int batchesOfADriver) throws Exception {
        try (AgentPair agents = startAgents();
                TwoHosts hosts = TwoHosts.start(directory)) {
            for (int driver = 1; driver <= 2; driver++) {
                for (int batch = 0; batch < batchesOfADriver; batch++) {
                    addInput("driver-" + driver + "-batch-" + batch);
                }
                long before = agents.servedBytes();
                try (SparkSession spark = session(shuffle, agents, hosts)) {
                    StreamingQuery query = start(spark, Trigger.AvailableNow());
                    assertThat(query.awaitTermination(TimeUnit.MINUTES.toMillis(5)))
                            .isTrue();
                }

                long rows = (long) driver * batchesOfADriver * ROWS_OF_A_BATCH;
                assertThat(counts).isEqualTo(expected(rows));
                assertThat(agents.servedBytes() > before).isEqualTo(shuffle.goesByRdma());
            }
            assertThat(batches)
                    .isEqualTo(
                            LongStream.range(0, 2L * batchesOfADriver).boxed().toList());
        }
    }

    /** Reads what came since the checkpoint, a file in each batch, and counts what each key had so far. */
    private StreamingQuery start(SparkSession spark, Trigger trigger) throws Exception {
        VoidFunction2<Dataset<Row>, Long> note = (changed, batch) -> {
            batches.add(batch);
            changed.collectAsList().forEach(row -> counts.put(row.getInt(0), row.getLong(1)));
        };
        return spark.readStream()
                .schema("key INT, text STRING")
                .option("maxFilesPerTrigger", 1)
                .json(input.toString())
                .groupBy("key")
                .agg(Map.of("key", "count", "text", "max"))
                .selectExpr("key", "`count(key)`")
                .writeStream()
                .outputMode("update")
                .option("checkpointLocation", directory.resolve("checkpoint").toString())
                .trigger(trigger)
                .foreachBatch(note)
                .start();
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
