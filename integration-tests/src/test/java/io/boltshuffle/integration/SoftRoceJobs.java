package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.integration.CountingJob.Moment;
import io.boltshuffle.os.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on two hosts over a kernel's own verbs, in the lab's guest. Without a fault they bring what stock Spark brings,
 * and every remote byte goes by RDMA. With one that the kernel makes while a job reads its blocks, the result is right
 * and no stage runs again; when it is mended blocks go by RDMA as before.
 */
@Tag("soft-roce")
@Timeout(3600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SoftRoceJobs {

    /** The guest has one slow processor, and the host may be busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(AgentPair.EMULATED ? 20 : 5);

    private static final String FAR = AgentPair.SOFT_ROCE_HOSTS.get(1);
    private static final Path FAR_DEVICE = Path.of("/sys/class/infiniband/rdma_en6");

    private static final Path INTERFACE_MTU = Path.of("/sys/class/net/en6/mtu");

    /** The most bytes of RoCE's headers, in Linux's emulation of it. */
    private static final int MAX_HEADER_BYTES = 80;

    private static final int MAX_PATH_MTU = 4096;

    private final String mode;
    private SmallJobs jobs;
    private SmallJobs.Results stock;
    private AgentPair agents;
    private TwoHosts hosts;
    private SparkSession spark;
    private CountingJob job;

    /** @param mode of links */
    SoftRoceJobs(String mode) {
        this.mode = mode;
    }

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        jobs = new SmallJobs(directory);
        try (SparkSession session = SmallJobs.session(new SparkConf(false)
                .setAppName("stock")
                .setMaster("local[2]")
                .set("spark.ui.enabled", "false")
                .set("spark.sql.warehouse.dir", directory.resolve("warehouse").toString()))) {
            jobs.generate(session);
            stock = jobs.run(session, "stock");
        }
        agents = AgentPair.onSoftRoce(Files.createDirectories(directory.resolve("n")))
                .with("spark.boltshuffle.agent.linkMode", mode)
                .startBoth();
        hosts = TwoHosts.start(
                directory,
                AgentPair.SOFT_ROCE_HOSTS,
                Map.of(
                        "spark.network.timeout",
                        PATIENCE.toSeconds() + "s",
                        "spark.worker.timeout",
                        Long.toString(PATIENCE.toSeconds())));
        spark = SmallJobs.session(agents.applyTo(hosts.applicationConf(mode))
                .set("spark.scheduler.maxRegisteredResourcesWaitingTime", PATIENCE.toSeconds() + "s"));
        job = new CountingJob(JavaSparkContext.fromSparkContext(spark.sparkContext()), 20_000, 12);
        awaitRdma();
    }

    @AfterAll
    void stop() throws IOException {
        spark.close();
        hosts.close();
        agents.close();
    }

    @AfterEach
    void blocksGoByRdmaAgain() throws Exception {
        for (String host : AgentPair.SOFT_ROCE_HOSTS) {
            agents.heal(host);
        }
        awaitRdma();
    }

    @Test
    void everyRemoteByteOfASortAndAQueryGoesByRdma() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(spark.sparkContext());
        EmulatedCableCounters before = EmulatedCableCounters.read();
        long rdmaBefore = settled("bytes.rdma");
        long nettyBefore = settled("bytes.netty");
        long servedBefore = agents.servedBytes();

        assertThat(jobs.run(spark, mode)).isEqualTo(stock);

        long remote = reads.remoteBytes();
        assertThat(remote).isPositive();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(total("bytes.rdma") - rdmaBefore).isEqualTo(remote));
        assertThat(total("bytes.netty")).isEqualTo(nettyBefore);
        assertThat(agents.servedBytes() - servedBefore).isGreaterThanOrEqualTo(remote);
        EmulatedCableCounters crossed = EmulatedCableCounters.read().since(before);
        assertThat(crossed.interfaceBytes()).isGreaterThan(remote);
        assertThat(crossed.verbsPackets()).isGreaterThanOrEqualTo(remote / packetPayload());
        System.out.printf("%s: %d remote bytes, all by RDMA; across the cable went %s%n", mode, remote, crossed);
    }

    /** Returns what one packet carries at most: a power of two that fits into the interface's frames. */
    private static int packetPayload() throws IOException {
        int room = Integer.parseInt(Files.readString(INTERFACE_MTU).strip()) - MAX_HEADER_BYTES;
        return Math.min(MAX_PATH_MTU, Integer.highestOneBit(room));
    }

    @Test
    void aPortGoesDown() throws Exception {
        runWithFallback(List.of("ip", "link", "set", "en6", "down"));
        AgentPair.run(List.of("/boot-tools/port", "up", "en6"));
    }

    @Test
    void packetsAreLostAndDamaged() throws Exception {
        runWith(shell("for end in en5 en6; do tc qdisc add dev $end root netem loss 2% corrupt 1%; done"));
        AgentPair.run(shell("for end in en5 en6; do tc -s qdisc show dev $end; tc qdisc del dev $end root; done"));
    }

    /** The kernel waits until no program has the device open, so the agent has to end before there can be a new one. */
    @Test
    void aDeviceIsTakenAway() throws Exception {
        runWith(shell("/boot-tools/port remove en6 >/dev/null 2>&1 &"));
        agents.signal(FAR, Signal.TERM);
        agents.awaitEnd(FAR);
        await().atMost(PATIENCE).until(() -> Files.notExists(FAR_DEVICE));
        AgentPair.run(List.of("/boot-tools/port", "add", "en6"));
    }

    @Test
    void anAgentIsKilledWithItsQueuePairOpen() throws Exception {
        runWithFallback(List.of("sh", "-c", "kill -KILL " + agents.pid(FAR)));
        agents.awaitEnd(FAR);
    }

    private void runWithFallback(List<String> damage) throws Exception {
        long before = total("bytes.netty");
        runWith(damage);
        await().atMost(PATIENCE).until(() -> total("bytes.netty") > before);
    }

    /** Runs a job whose first reduce task does the damage when it has its first row. */
    private void runWith(List<String> damage) throws Exception {
        String[] words = damage.toArray(String[]::new);
        ShuffleReads reads = ShuffleReads.listeningTo(spark.sparkContext());
        assertThat(job.run(Moment.FIRST_ROW, () -> AgentPair.run(List.of(words))))
                .isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    /** Runs jobs until one moves bytes by RDMA. If none does, the agents say why: nothing else of the guest is left. */
    private void awaitRdma() throws IOException {
        try {
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
                long before = agents.servedBytes();
                assertThat(job.run()).isEqualTo(job.expected());
                return before >= 0 && agents.servedBytes() > before;
            });
        } catch (ConditionTimeoutException e) {
            StringBuilder said = new StringBuilder("no bytes by RDMA");
            for (String host : AgentPair.SOFT_ROCE_HOSTS) {
                said.append("\nAgent of ").append(host).append(":\n").append(agents.log(host));
            }
            throw new AssertionError(said.toString(), e);
        }
    }

    private long total(String counter) {
        return new ReportedMetrics(hosts.metricsDirectory())
                .total(spark.sparkContext().applicationId(), counter);
    }

    /** Executors report every second: a counter that two reports agree on tells all that happened before. */
    private long settled(String counter) {
        long[] last = {-1};
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .until(
                        () -> {
                            long before = last[0];
                            last[0] = total(counter);
                            return last[0] == before ? before : -1;
                        },
                        count -> count >= 0);
    }

    private static List<String> shell(String script) {
        return List.of("sh", "-c", script);
    }
}
