package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * Agents and cables fail in the middle of a job, in its reduce: the result is right, no stage runs again that stock Spark
 * would not run again, and afterwards blocks go by RDMA as before.
 */
class AgentFaultsTest {

    private static final int ROWS = 20_000;
    private static final int KEYS = 200;
    private static final int ROW_BYTES = 1000;

    private static NodeAgents agents;
    private static TwoHosts hosts;
    private static JavaSparkContext context;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        agents = new NodeAgents(Files.createDirectories(directory.resolve("n")), 1, "profile apple")
                .with("spark.boltshuffle.agent.heartbeatTimeout", "3s")
                .with("spark.boltshuffle.agent.connectTimeout", "10s")
                .with("spark.boltshuffle.fetch.timeout", "10s")
                .startBoth();
        hosts = TwoHosts.start(directory);
        context = new JavaSparkContext(agents.applyTo(hosts.applicationConf("agent-faults")));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        context.close();
        hosts.close();
        agents.close();
    }

    @BeforeEach
    void blocksGoByRdma() {
        awaitRdma();
    }

    @AfterEach
    void everythingComesBack() throws Exception {
        NodeAgents.run(agents.cableCommand("cable", "c0", "clear"));
        for (String host : List.of(NodeAgents.READER, NodeAgents.SERVER)) {
            agents.heal(host);
        }
        awaitRdma();
        for (String host : List.of(NodeAgents.READER, NodeAgents.SERVER)) {
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                JsonNode memory = agents.status(host).at("/memory");
                assertThat(memory.at("/pinnedBytes").asLong()).isZero();
                assertThat(memory.at("/stagedBytes").asLong()).isZero();
            });
        }
    }

    @Test
    void oneAgentIsKilled() throws Exception {
        runWith(agents.signalCommand(NodeAgents.READER, "KILL"));
    }

    @Test
    void theOtherAgentIsKilled() throws Exception {
        runWith(agents.signalCommand(NodeAgents.SERVER, "KILL"));
    }

    @Test
    void anAgentStopsAnswering() throws Exception {
        runWith(agents.signalCommand(NodeAgents.SERVER, "STOP"));
    }

    @Test
    void anAgentEndsInGoodOrder() throws Exception {
        runWith(agents.signalCommand(NodeAgents.READER, "TERM"));
        agents.awaitEnd(NodeAgents.READER);
    }

    @Test
    void aPulledCableKillsBothAgents() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "pull", "segv"));
    }

    @Test
    void aPulledCableIsSilent() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "pull", "silent"));
    }

    @Test
    void framesAreLost() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "lose", "rate", "0.05", "seed", "7"));
    }

    @Test
    void framesAreDamaged() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "corrupt", "rate", "0.05", "seed", "7"));
    }

    /** Runs a job whose first reduce task does the damage when it has its first row. */
    private static void runWith(List<String> damage) throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        assertThat(counts(damage).collectAsMap()).isEqualTo(expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    /** Counts rows by key, after a shuffle that carries the rows themselves; each row is looked at. */
    private static JavaPairRDD<Integer, Integer> counts(List<String> damage) {
        String[] command = damage.toArray(String[]::new);
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), 6)
                .mapToPair(number -> new Tuple2<>(number % KEYS, row(number)))
                .groupByKey(12)
                .mapPartitionsToPair(rows -> {
                    if (TaskContext.getPartitionId() == 0 && command.length > 0) {
                        NodeAgents.run(List.of(command));
                    }
                    return rows;
                })
                .mapToPair(rows -> {
                    int count = 0;
                    for (byte[] row : rows._2()) {
                        count += isWhole(row) && numberOf(row) % KEYS == rows._1() ? 1 : 0;
                    }
                    return new Tuple2<>(rows._1(), count);
                });
    }

    private static byte[] row(int number) {
        byte[] row = new byte[ROW_BYTES];
        Arrays.fill(row, (byte) number);
        row[0] = (byte) (number >>> 16);
        row[1] = (byte) (number >>> 8);
        row[2] = (byte) number;
        return row;
    }

    private static int numberOf(byte[] row) {
        return (row[0] & 0xff) << 16 | (row[1] & 0xff) << 8 | (row[2] & 0xff);
    }

    private static boolean isWhole(byte[] row) {
        return Arrays.equals(row, row(numberOf(row)));
    }

    private static Map<Integer, Integer> expected() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> ROWS / KEYS));
    }

    /** Runs jobs until one moves bytes by RDMA. */
    private static void awaitRdma() {
        await().atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    long before = servedBytes();
                    assertThat(counts(List.of()).collectAsMap()).isEqualTo(expected());
                    return servedBytes() > before && before >= 0;
                });
    }

    /** What both agents served so far; -1 while one does not answer. */
    private static long servedBytes() {
        try {
            return agents.status(NodeAgents.READER).at("/counters/servedBytes").asLong()
                    + agents.status(NodeAgents.SERVER)
                            .at("/counters/servedBytes")
                            .asLong();
        } catch (IOException e) {
            return -1;
        }
    }
}
