package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.os.Signal;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Shows how much has come to a task that reads nothing yet. */
@Tag("ci")
class ReadAheadJobsTest {

    private static final long MIB = 1 << 20;

    /** Blocks for the one task that reads, about half of them on the other host. */
    private static final int MAPS = 24;

    private static final int ROWS = 10;
    private static final int ROW_BYTES = (int) MIB;

    /** An eighth of what the executors here may have; the virtual machine counts a little less. */
    private static final long EIGHTH_OF_HEAP = 600 * MIB / 8;

    /**
     * The bytes that the executor had got by RDMA when the task began to wait, and the rows that it read afterwards.
     */
    private record Arrived(String executor, long bytes, long rows) implements Serializable {}

    @Test
    void aTaskIsSentMoreThanSparksLimitAndItWaitsInTheAgentsMemory(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents))) {
            long ahead = ahead(context, 52 * MIB);

            assertThat(ahead).isBetween(52 * MIB, EIGHTH_OF_HEAP);
            for (String host : TwoHosts.HOSTS) {
                assertThat(agents.status(host).at("/counters/copiedOutBytes").asLong(-1))
                        .isZero();
            }
        }
    }

    @Test
    void whoSetsSparksLimitGetsIt(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context =
                        new JavaSparkContext(conf(hosts, agents).set("spark.reducer.maxSizeInFlight", "24m"))) {
            assertThat(ahead(context, 18 * MIB)).isBetween(18 * MIB, 24 * MIB);
        }
    }

    @Test
    void whatCameAheadIsReadAfterTheAgentsAreGone(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents))) {
            awaitRdma(context);
            CompletableFuture<Arrived> reading =
                    CompletableFuture.supplyAsync(() -> shuffled(context, Map.of(), 52 * MIB));
            await().atMost(Duration.ofSeconds(60)).until(() -> pinnedBytes(agents) > 52 * MIB);
            for (String host : TwoHosts.HOSTS) {
                agents.signal(host, Signal.KILL);
            }

            assertThat(reading.get(2, TimeUnit.MINUTES).rows()).isEqualTo(MAPS * ROWS);
            for (String host : TwoHosts.HOSTS) {
                agents.heal(host); // it removes the memory that the one before it left
            }
            await().atMost(Duration.ofSeconds(90)).until(() -> {
                shuffleALittle(context);
                return agents.servedBytes() > 0;
            });
        }
    }

    private static long pinnedBytes(AgentPair agents) throws IOException {
        long bytes = 0;
        for (String host : TwoHosts.HOSTS) {
            bytes += agents.status(host).at("/memory/pinnedBytes").asLong();
        }
        return bytes;
    }

    private static AgentPair agents(Path directory) throws Exception {
        return new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND)
                .with("spark.boltshuffle.agent.slab", "1g");
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents) {
        return agents.applyTo(hosts.applicationConf("read-ahead").set("spark.shuffle.compress", "false"));
    }

    /**
     * Returns how many bytes a task that waits for a number of them has got by RDMA before it reads a block of another
     * host.
     */
    private static long ahead(JavaSparkContext context, long atLeast) {
        awaitRdma(context);
        Map<String, Long> before = counts(context);
        Arrived arrived = shuffled(context, before, atLeast);
        assertThat(arrived.rows()).isEqualTo(MAPS * ROWS);
        return arrived.bytes() - before.getOrDefault(arrived.executor(), 0L);
    }

    /** Waits until both executors are there and have fetched by RDMA. New tasks then fetch by RDMA, too. */
    private static void awaitRdma(JavaSparkContext context) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    shuffleALittle(context);
                    Map<String, Long> counts = counts(context);
                    return counts.size() == 2 && counts.values().stream().allMatch(bytes -> bytes > 0);
                });
    }

    private static void shuffleALittle(JavaSparkContext context) {
        long keys = context.parallelize(IntStream.range(0, 1000).boxed().toList(), 8)
                .mapToPair(key -> new Tuple2<>(key, key))
                .partitionBy(new HashPartitioner(8))
                .count();
        assertThat(keys).isEqualTo(1000);
    }

    /** Bytes that came by RDMA so far, of each executor. */
    private static Map<String, Long> counts(JavaSparkContext context) {
        Map<String, Long> counts = new HashMap<>();
        context.parallelize(Collections.nCopies(8, 0), 8)
                .map(task -> {
                    TimeUnit.MILLISECONDS.sleep(50); // so that one executor does not run all of them
                    return new Arrived(SparkEnv.get().executorId(), byRdma(), 0);
                })
                .collect()
                .forEach(arrived -> counts.put(arrived.executor(), arrived.bytes()));
        return counts;
    }

    private static Arrived shuffled(JavaSparkContext context, Map<String, Long> before, long atLeast) {
        HashMap<String, Long> counted = new HashMap<>(before);
        List<Arrived> one = context.parallelize(
                        IntStream.range(0, MAPS * ROWS).boxed().toList(), MAPS)
                .mapToPair(key -> {
                    TimeUnit.MILLISECONDS.sleep(30); // so that one executor does not run nearly all of them
                    return new Tuple2<>(key, row(key));
                })
                .partitionBy(new HashPartitioner(1))
                .mapPartitions(rows ->
                        readLate(rows, counted.getOrDefault(SparkEnv.get().executorId(), 0L) + atLeast))
                .collect();
        assertThat(one).hasSize(1);
        return one.get(0);
    }

    /** Reads nothing until enough has come, and then until no more comes. */
    private static Iterator<Arrived> readLate(Iterator<Tuple2<Integer, byte[]>> rows, long enough)
            throws InterruptedException {
        for (int waits = 0; byRdma() < enough && waits < 300; waits++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        long bytes = -1;
        while (byRdma() > bytes) {
            bytes = byRdma();
            TimeUnit.SECONDS.sleep(2);
        }
        long count = 0;
        while (rows.hasNext()) {
            Tuple2<Integer, byte[]> row = rows.next();
            assertThat(Arrays.equals(row._2(), row(row._1()))).isTrue();
            count++;
        }
        return List.of(new Arrived(SparkEnv.get().executorId(), bytes, count)).iterator();
    }

    private static byte[] row(int key) {
        byte[] row = new byte[ROW_BYTES];
        Arrays.fill(row, (byte) key);
        return row;
    }

    /** An executor has the metrics from its first shuffle on. */
    private static long byRdma() {
        return SparkEnv.get()
                .metricsSystem()
                .getSourcesByName("boltshuffle")
                .headOption()
                .map(source -> source.metricRegistry().counter("bytes.rdma").getCount())
                .getOrElse(() -> 0L);
    }
}
