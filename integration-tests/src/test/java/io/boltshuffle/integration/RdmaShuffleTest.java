package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.CableKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** A shuffle whose remote blocks go through two node agents and over virtual cables. */
@Tag("slow")
class RdmaShuffleTest {

    private static final int ROWS = 40_000;
    private static final int KEYS = 400;
    private static final int ROW_BYTES = 500;

    @Test
    void remoteBlocksGoByRdma(@TempDir Path directory) throws Exception {
        remoteBlocksGoByRdma(CableKind.SEND, directory);
    }

    @Tag("ci")
    @Test
    void remoteBlocksGoByRdmaWherePeersRead(@TempDir Path directory) throws Exception {
        remoteBlocksGoByRdma(CableKind.READ, directory);
    }

    private static void remoteBlocksGoByRdma(CableKind kind, Path directory) throws Exception {
        try (AgentPair agents = agents(directory, 2, kind).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents))) {
            awaitAllByRdma(agents, hosts, context);
            assertThat(verbsLibrariesInExecutors(context)).isEmpty();
            for (String host : new String[] {AgentPair.READER, AgentPair.SERVER}) {
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(agents.status(host)
                                        .at("/memory/pinnedBytes")
                                        .asLong())
                                .isZero());
            }
        }
    }

    /**
     * JNA cannot be relocated, so the application's, which is older and comes first, is the one that executors have.
     */
    @Tag("ci")
    @Test
    void besideAnotherJnaOnTheApplicationsClassPathBlocksGoByRdma(@TempDir Path directory) throws Exception {
        Path other = Path.of("target/other-jna.jar").toAbsolutePath();
        try (AgentPair agents = agents(directory, 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = conf(hosts, agents);
            conf.set(
                    "spark.executor.extraClassPath",
                    other + File.pathSeparator + conf.get("spark.executor.extraClassPath"));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                assertThat(jnaInExecutors(context)).containsExactly(other.toString());
                awaitAllByRdma(agents, hosts, context);
            }
        }
    }

    private static Set<String> jnaInExecutors(JavaSparkContext context) {
        return new HashSet<>(context.parallelize(List.of(1, 2, 3, 4), 4)
                .map(task -> Path.of(Class.forName("com.sun.jna.Native")
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString())
                .collect());
    }

    @Tag("ci")
    @Test
    void oneLostCableOfTwoLeavesTheOther(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory, 2, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents))) {
            runUntilUp(context, agents, "rdma_en5:1", "rdma_en6:1");
            agents.cables().one("c0-1", "pull", "silent");
            runUntilUp(context, agents, "rdma_en6:1");
            long before = agents.servedBytes();
            assertThat(counts(context).collectAsMap()).isEqualTo(expected());
            assertThat(agents.servedBytes()).isGreaterThan(before);
            agents.cables().one("c0-1", "plug");
            runUntilUp(context, agents, "rdma_en5:1", "rdma_en6:1");
        }
    }

    /** Runs jobs until links are up on these ports and no others: a dead cable is noticed when something is to move. */
    private static void runUntilUp(JavaSparkContext context, AgentPair agents, String... ports) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    assertThat(counts(context).collectAsMap()).isEqualTo(expected());
                    return upPorts(agents).equals(Set.of(ports));
                });
    }

    private static Set<String> upPorts(AgentPair agents) throws IOException {
        Set<String> ports = new HashSet<>();
        for (JsonNode link : agents.status(AgentPair.READER).at("/peers/0/links")) {
            if (link.at("/state").asText().equals("UP")) {
                ports.add(link.at("/near").asText());
            }
        }
        return ports;
    }

    /** Blocks of some 200 KB in windows of 64 KiB: gathered in memory, or written to files piece by piece. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"200m", "100k"})
    void blocksLargerThanTheWindowArriveWhole(String fetchToMemory, @TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory, 1, CableKind.SEND)
                        .with("spark.boltshuffle.fetch.window", "64k")
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(
                        conf(hosts, agents).set("spark.network.maxRemoteBlockSizeFetchToMem", fetchToMemory))) {
            awaitAllByRdma(agents, hosts, context);
        }
    }

    private static AgentPair agents(Path directory, int cables, CableKind kind) throws IOException {
        return new AgentPair(Files.createDirectories(directory.resolve("n")), cables, kind);
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents) {
        return agents.applyTo(hosts.applicationConf("rdma-shuffle"));
    }

    /** Counts rows by key, after a shuffle that carries the rows themselves. */
    private static JavaPairRDD<Integer, Integer> counts(JavaSparkContext context) {
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), 8)
                .mapToPair(row -> new Tuple2<>(row % KEYS, row(row)))
                .groupByKey(12)
                .mapValues(rows -> {
                    int count = 0;
                    for (byte[] row : rows) {
                        assertThat(row)
                                .isEqualTo(row(((row[0] & 0xff) << 16) | ((row[1] & 0xff) << 8) | (row[2] & 0xff)));
                        count++;
                    }
                    return count;
                });
    }

    /** Lines of the executors' memory maps that name a verbs library. */
    private static List<String> verbsLibrariesInExecutors(JavaSparkContext context) {
        return context.parallelize(List.of(1, 2, 3, 4), 4)
                .flatMap(task -> Files.readAllLines(Path.of("/proc/self/maps")).stream()
                        .filter(line ->
                                line.contains("libvtb") || line.contains("libibverbs") || line.contains("librdma"))
                        .iterator())
                .collect();
    }

    private static byte[] row(int number) {
        byte[] row = new byte[ROW_BYTES];
        Arrays.fill(row, (byte) number);
        row[0] = (byte) (number >>> 16);
        row[1] = (byte) (number >>> 8);
        row[2] = (byte) number;
        return row;
    }

    private static Map<Integer, Integer> expected() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> ROWS / KEYS));
    }

    private static void awaitAllByRdma(AgentPair agents, TwoHosts hosts, JavaSparkContext context) {
        new RemoteReads(agents, ShuffleReads.listeningTo(context.sc()))
                .awaitAllByRdma(() -> assertThat(counts(context).collectAsMap()).isEqualTo(expected()));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(byRdma(hosts, context)).isPositive());
    }

    private static long byRdma(TwoHosts hosts, JavaSparkContext context) {
        return new ReportedMetrics(hosts.metricsDirectory()).total(context.sc().applicationId(), "bytes.rdma");
    }
}
