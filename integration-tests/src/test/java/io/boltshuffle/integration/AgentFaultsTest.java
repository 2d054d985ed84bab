package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.integration.CountingJob.Damage;
import io.boltshuffle.integration.CountingJob.Moment;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
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
 * Agents, cables, executors and files fail in the middle of a job, in its reduce: the result is right, no stage runs again
 * that stock Spark would not run again, and afterwards memory is back and blocks go by RDMA as before. In every job both hosts
 * read and both serve.
 */
class AgentFaultsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> BOTH = List.of(NodeAgents.READER, NodeAgents.SERVER);

    private static NodeAgents agents;
    private static TwoHosts hosts;
    private static JavaSparkContext context;
    private static CountingJob job;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        agents = new NodeAgents(Files.createDirectories(directory.resolve("n")), 1, "profile apple")
                .with("spark.boltshuffle.agent.slab", "64m")
                .with("spark.boltshuffle.agent.heartbeatTimeout", "3s")
                .with("spark.boltshuffle.agent.connectTimeout", "10s")
                .with("spark.boltshuffle.fetch.timeout", "10s")
                .startBoth();
        hosts = TwoHosts.start(directory);
        context = new JavaSparkContext(agents.applyTo(hosts.applicationConf("agent-faults")));
        job = new CountingJob(context, 20_000, 12);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        context.close();
        hosts.close();
        agents.close();
    }

    @BeforeEach
    void blocksGoByRdma() {
        job.awaitRdma(agents);
    }

    @AfterEach
    void everythingComesBack() throws Exception {
        NodeAgents.run(agents.cableCommand("cable", "c0", "clear"));
        for (String host : BOTH) {
            agents.heal(host);
        }
        job.awaitRdma(agents);
        for (String host : BOTH) {
            await().atMost(PATIENCE).untilAsserted(() -> {
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
    void oneAgentStopsAnswering() throws Exception {
        runWith(agents.signalCommand(NodeAgents.READER, "STOP"));
    }

    @Test
    void theOtherAgentStopsAnswering() throws Exception {
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
    void aCableIsPulledBeforeTheFirstBlock() throws Exception {
        NodeAgents.run(agents.cableCommand("cable", "c0", "pull", "silent"));
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        assertThat(job.run()).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    @Test
    void aCableIsPulledAfterTheLastBlock() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        Damage pull = Damage.command(agents.cableCommand("cable", "c0", "pull", "segv"));
        assertThat(job.run(Moment.AFTER_THE_LAST_ROW, pull)).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    @Test
    void framesAreLost() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "lose", "rate", "0.05", "seed", "7"));
    }

    @Test
    void framesAreDamaged() throws Exception {
        runWith(agents.cableCommand("cable", "c0", "corrupt", "rate", "0.05", "seed", "7"));
    }

    /** Stock Spark runs maps of a lost executor again, so stages may be retried here. */
    @Test
    void anExecutorDiesWhileItHoldsBlocks() {
        assertThat(job.run(Moment.FIRST_ROW, () -> Runtime.getRuntime().halt(137)))
                .isEqualTo(job.expected());
    }

    /** Agent and executor at once: all that a host is to the others. */
    @Test
    void aHostIsGone() {
        List<String> command = new ArrayList<>(agents.signalCommand(NodeAgents.SERVER, "KILL"));
        command.add(Long.toString(executorOf(NodeAgents.SERVER)));
        assertThat(job.run(Moment.FIRST_ROW, Damage.command(command))).isEqualTo(job.expected());
    }

    @Test
    void aShuffleFileIsDeleted() throws Exception {
        readTwice(Files::delete);
    }

    @Test
    void aShuffleFileIsTruncated() throws Exception {
        readTwice(file -> {
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                bytes.setLength(bytes.length() / 2);
            }
        });
    }

    /** A task that holds more than its share of the slab gets the rest as copies, and others go on. */
    @Test
    void aSlowReaderDoesNotKeepThePool() throws Exception {
        Path root = agents.root();
        String directory = root.toString();
        CountingJob large = new CountingJob(context, 60_000, 2);
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        assertThat(large.run(Moment.FIRST_ROW, () -> awaitCopies(directory))).isEqualTo(large.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    /** Runs in an executor, which reads nothing meanwhile. */
    private static void awaitCopies(String root) throws IOException {
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        MeetingPlace place = MeetingPlace.open(Path.of(root), host);
        await().atMost(PATIENCE)
                .until(() -> !AgentInquiry.status(place, Duration.ofSeconds(10)).contains("\"copiedOutBytes\":0,"));
    }

    /** Something that happens to a file. */
    private interface FileDamage {
        void strike(Path file) throws IOException;
    }

    /** Spark finds out and runs that file's map again, as it would without the plugin. */
    private static void readTwice(FileDamage damage) throws Exception {
        JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Damage.NONE);
        assertThat(counts.collectAsMap()).isEqualTo(job.expected());
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        damage.strike(newestShuffleFile());
        assertThat(counts.collectAsMap()).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isNotEmpty();
    }

    /** Of the last shuffle, whichever map wrote it. */
    private static Path newestShuffleFile() throws IOException {
        try (Stream<Path> files = Files.walk(hosts.localDirectory())) {
            return files.filter(file -> file.getFileName().toString().matches("shuffle_.*\\.data"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow();
        }
    }

    private static void runWith(List<String> damage) throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        assertThat(job.run(Moment.FIRST_ROW, Damage.command(damage))).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    /** The process of a host's executor. */
    private static long executorOf(String host) {
        Map<String, Long> processes = context.parallelize(List.of(1, 2, 3, 4), 4)
                .mapToPair(task -> new Tuple2<>(
                        SparkEnv.get().blockManager().blockManagerId().host(),
                        ProcessHandle.current().pid()))
                .collectAsMap();
        assertThat(processes).containsKey(host);
        return processes.getOrDefault(host, 0L);
    }
}
