package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.integration.CountingJob.Damage;
import io.boltshuffle.integration.CountingJob.Moment;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.ControlMessageCodec;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control connection between two agents fails, and jobs do not notice: the result is right, no stage runs again, the peer
 * is shown with the reason, and blocks go by RDMA as soon as the connection is good again.
 */
class ControlFaultsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = 20_260_401;

    private static Path directory;
    private static NodeAgents agents;
    private static ControlProxy proxy;
    private static TwoHosts hosts;
    private static JavaSparkContext context;
    private static CountingJob job;

    @BeforeAll
    static void start(@TempDir Path temp) throws IOException {
        directory = temp;
        agents = new NodeAgents(Files.createDirectories(temp.resolve("n")), 1, "profile apple")
                .with("spark.boltshuffle.agent.heartbeatTimeout", "3s")
                .with("spark.boltshuffle.agent.connectTimeout", "10s")
                .with("spark.boltshuffle.fetch.timeout", "10s");
        int behind = ControlProxy.freePort(NodeAgents.SERVER);
        proxy = ControlProxy.open(
                new InetSocketAddress(NodeAgents.SERVER, agents.port()),
                new InetSocketAddress(NodeAgents.SERVER, behind));
        agents.start(NodeAgents.READER);
        agents.start(NodeAgents.SERVER, Map.of("spark.boltshuffle.agent.port", Integer.toString(behind)));
        hosts = TwoHosts.start(temp);
        context = new JavaSparkContext(agents.applyTo(hosts.applicationConf("control-faults")));
        job = new CountingJob(context, 20_000, 12);
    }

    @AfterAll
    static void stop() throws IOException {
        context.close();
        hosts.close();
        agents.close();
        proxy.close();
    }

    @BeforeEach
    void blocksGoByRdma() {
        job.awaitRdma(agents);
    }

    @AfterEach
    void andGoByRdmaAgain() {
        proxy.pass();
        job.awaitRdma(agents);
    }

    @Test
    void itIsCut() throws Exception {
        runWhile(proxy::cut);
    }

    @Test
    void itGoesSilent() throws Exception {
        runWhile(proxy::hold);
        awaitPeerDetail("silent for");
    }

    @Test
    void itSpeaksGarbage() throws Exception {
        byte[] garbage = new byte[4096];
        new Random(SEED).nextBytes(garbage);
        runWhile(() -> proxy.inject(garbage));
    }

    @Test
    void thePeerSpeaksAnOldVersion() throws Exception {
        proxy.answer(bytes(ControlMessageCodec.encode(new ControlMessage.Hello(
                WireLimits.CONTROL_VERSION - 1,
                NodeAgents.SERVER,
                1,
                Opaque.of(new byte[WireLimits.NONCE_BYTES]),
                false))));
        proxy.cut();
        awaitPeerDetail("speaks version " + (WireLimits.CONTROL_VERSION - 1));
        run();
    }

    @Test
    void thePeerHasAnotherSecret() throws Exception {
        Path secret = Files.createFile(
                directory.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "only one of the two knows this");
        agents.restart(NodeAgents.SERVER, Map.of("spark.boltshuffle.agent.secretFile", secret.toString()));
        try {
            awaitPeerDetail("cluster secret");
            run();
        } finally {
            agents.restart(NodeAgents.SERVER, Map.of("spark.boltshuffle.agent.secretFile", ""));
        }
    }

    /** What the test does to the connection. */
    private interface Act {
        void now() throws IOException;
    }

    /** Acts when the first reduce task is at its first row, and lets it go on after that. */
    private static void runWhile(Act act) throws Exception {
        Path asked = directory.resolve("asked");
        Path done = directory.resolve("done");
        String askedName = asked.toString();
        String doneName = done.toString();
        Damage meet = () -> {
            Files.createFile(Path.of(askedName));
            awaitFile(doneName);
        };
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        CompletableFuture<Map<Integer, Integer>> counts =
                CompletableFuture.supplyAsync(() -> job.run(Moment.FIRST_ROW, meet));
        awaitFile(askedName);
        act.now();
        Files.createFile(done);
        assertThat(counts.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
        Files.delete(asked);
        Files.delete(done);
    }

    private static void run() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
        assertThat(job.run()).isEqualTo(job.expected());
        assertThat(reads.retriedStages()).isEmpty();
    }

    private static void awaitFile(String name) {
        await().atMost(PATIENCE).until(() -> Files.exists(Path.of(name)));
    }

    private static void awaitPeerDetail(String words) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(agents.status(NodeAgents.READER)
                                .at("/peers/0/detail")
                                .asText())
                        .contains(words));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
