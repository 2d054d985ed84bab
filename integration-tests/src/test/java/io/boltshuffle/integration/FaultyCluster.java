package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.os.FreePort;
import io.boltshuffle.os.ProcessTree;
import io.boltshuffle.os.Signal;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.awaitility.core.ConditionTimeoutException;
import scala.Tuple2;

/**
 * Two hosts with an executor and an agent each, one virtual cable, and a proxy on the agents' control connection: all
 * that can fail under a job, and the means to make it fail. In every job both hosts read and both serve.
 */
final class FaultyCluster implements AutoCloseable {

    static final String READER = AgentPair.READER;
    static final String SERVER = AgentPair.SERVER;
    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration A_FEW_FETCHES = Duration.ofSeconds(25);

    private static final List<String> BOTH = List.of(READER, SERVER);

    /** The states in which a link may post. */
    private static final Set<String> POSTING = Set.of("CONNECTING", "UP");

    private static final long SLAB_BYTES = 64L << 20;

    /** Each link keeps this much for as long as it lives: a sixteenth of so small a slab. */
    private static final long CALIBRATION_BYTES = SLAB_BYTES / 16;

    private final Path directory;
    private final AgentPair agents;
    private final ControlProxy proxy;
    private final TwoHosts hosts;
    private final JavaSparkContext context;
    private final CountingJob job;
    private final BlocksJob blocks;
    private final boolean withBlocks;
    private final List<Long> limited = new ArrayList<>();

    /** SEND and RECV, as over Thunderbolt. */
    static FaultyCluster sending(Path directory) throws IOException {
        return new FaultyCluster(directory, CableKind.SEND, /* withBlocks= */ false, ShuffleKind.OURS::applyTo);
    }

    /** The same with Spark's own shuffle manager, and the plugin alone. */
    static FaultyCluster sendingForSparksManager(Path directory) throws IOException {
        return sendingFor(directory, ShuffleKind.PLUGIN_ALONE::applyTo);
    }

    /** The same with other settings of whose shuffle the application has. */
    static FaultyCluster sendingFor(Path directory, UnaryOperator<SparkConf> shuffle) throws IOException {
        return new FaultyCluster(directory, CableKind.SEND, /* withBlocks= */ false, shuffle);
    }

    /** RDMA READ, with checksums, since frames are to be damaged that no hardware checks. */
    static FaultyCluster reading(Path directory) throws IOException {
        return new FaultyCluster(directory, CableKind.READ, /* withBlocks= */ false, ShuffleKind.OURS::applyTo);
    }

    /** The same with broadcasts, cached partitions and results, and the driver on the serving host. */
    static FaultyCluster withBlocks(Path directory) throws IOException {
        return new FaultyCluster(directory, CableKind.SEND, /* withBlocks= */ true, ShuffleKind.OURS::applyTo);
    }

    static FaultyCluster readingWithBlocks(Path directory) throws IOException {
        return new FaultyCluster(directory, CableKind.READ, /* withBlocks= */ true, ShuffleKind.OURS::applyTo);
    }

    private FaultyCluster(Path directory, CableKind kind, boolean withBlocks, UnaryOperator<SparkConf> shuffle)
            throws IOException {
        RoomForSlabs.require(BOTH.size() * (SLAB_BYTES + Slab.PAGE_BYTES));
        this.directory = directory;
        this.withBlocks = withBlocks;
        agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, kind)
                .with("spark.boltshuffle.agent.checksum", "always")
                .with("spark.boltshuffle.agent.slab", Long.toString(SLAB_BYTES))
                .with("spark.boltshuffle.agent.heartbeatTimeout", "3s")
                .with("spark.boltshuffle.agent.connectTimeout", "10s")
                .with("spark.boltshuffle.fetch.timeout", "10s");
        int behind = FreePort.of(SERVER);
        proxy = ControlProxy.open(new InetSocketAddress(SERVER, agents.port()), new InetSocketAddress(SERVER, behind));
        agents.start(READER);
        agents.start(SERVER, Map.of("spark.boltshuffle.agent.port", Integer.toString(behind)));
        hosts = withBlocks ? TwoHosts.start(directory, TwoHosts.HOSTS, SERVER) : TwoHosts.start(directory);
        SparkConf conf = shuffle.apply(agents.applyTo(hosts.applicationConf("faults")))
                .set("spark.network.maxRemoteBlockSizeFetchToMem", CountingJob.TO_MEMORY);
        context = new JavaSparkContext(withBlocks ? withBlocks(conf) : conf);
        job = new CountingJob(context, 20_000, 12);
        blocks = new BlocksJob(context);
        awaitRdma();
    }

    /** Where an owner is gone, Spark's own service tries for a while, too. */
    private static SparkConf withBlocks(SparkConf conf) {
        return conf.set("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin")
                .set("spark.boltshuffle.blocks", "all")
                .set("spark.shuffle.io.retryWait", "1s");
    }

    private void awaitRdma() {
        job.awaitRdma(agents);
        if (withBlocks) {
            await().atMost(PATIENCE).until(() -> {
                long before = laidOut();
                assertThat(blocks.ofABroadcast().run()).isEqualTo(blocks.expected());
                return laidOut() > before;
            });
        }
    }

    private long laidOut() throws IOException {
        return agents.status(SERVER).at("/live/laidOut").asLong();
    }

    JavaSparkContext context() {
        return context;
    }

    CountingJob job() {
        return job;
    }

    BlocksJob blocks() {
        return blocks;
    }

    AgentPair agents() {
        return agents;
    }

    ControlProxy proxy() {
        return proxy;
    }

    Path shuffleFiles() {
        return hosts.localDirectory();
    }

    void cable(String... words) {
        agents.cables().all(words);
    }

    /** Returns what the reading host's agent says of the other. */
    JsonNode peer() throws IOException {
        return agents.status(READER).at("/peers/0");
    }

    void awaitPeerDetail(String words) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(peer().at("/detail").asText()).contains(words));
    }

    void awaitPeer(String state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(peer().at("/state").asText()).isEqualTo(state));
    }

    /** Returns what a host's agent did not let tasks read in place so far, because they held too much already. */
    long copiedOutBytes(String host) throws IOException {
        return agents.status(host).at("/counters/copiedOutBytes").asLong();
    }

    /** Returns whether the host's agent has copied more out than these bytes within the time of a few fetches. */
    boolean copiesMoreOut(String host, long before) throws Exception {
        long end = System.nanoTime() + A_FEW_FETCHES.toNanos();
        while (copiedOutBytes(host) <= before && System.nanoTime() - end < 0) {
            Thread.sleep(100);
        }
        return copiedOutBytes(host) > before;
    }

    long servedBytes(String host) throws IOException {
        return agents.status(host).at("/counters/servedBytes").asLong();
    }

    /** Links that found damaged bytes, as both agents count them for the cable. */
    long damagedLinks() throws IOException {
        long links = 0;
        for (String host : BOTH) {
            links += agents.status(host)
                    .at("/peers/0/cables/0/failures/CHECKSUM_MISMATCH")
                    .asLong();
        }
        return links;
    }

    /** Returns what moved over the cable so far, both ways, in frames of 4096 bytes. */
    long frames() throws IOException {
        long frames = 0;
        for (JsonNode direction : agents.cables().statistics().at("/cables/0/directions")) {
            frames += direction.at("/frames").asLong();
        }
        return frames;
    }

    /** Executors and agents cannot make a file longer than this, as if their disks were full, until it is healed. */
    void fillDisks(long fileBytes) throws IOException, InterruptedException {
        limited.addAll(executors().values());
        limited.addAll(agents.processes());
        for (long process : limited) {
            limitFiles(process, Long.toString(fileBytes));
        }
    }

    void emptyDisks() throws IOException, InterruptedException {
        for (long process : limited) {
            limitFiles(process, "unlimited");
        }
        limited.clear();
    }

    private static void limitFiles(long process, String bytes) throws IOException, InterruptedException {
        AgentPair.run(List.of("prlimit", "--pid", Long.toString(process), "--fsize=" + bytes + ":unlimited"));
    }

    /** Blocks that could not be written to the reading executor's disk, as executors report them each second. */
    long diskFallbacks() {
        return new ReportedMetrics(hosts.metricsDirectory())
                .total(context.sc().applicationId(), "fallbacks.disk_write");
    }

    /** Returns the logs of executors of which a line has all these words. */
    List<Path> logsOfExecutorsWith(String... words) throws IOException {
        List<Path> logs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory.resolve("hosts"))) {
            for (Path log : files.filter(file -> file.endsWith("stderr")).toList()) {
                if (Files.readAllLines(log).stream()
                        .anyMatch(line -> Stream.of(words).allMatch(line::contains))) {
                    logs.add(log);
                }
            }
        }
        return logs;
    }

    /** Returns a file with a secret that only agents know which are given the file. */
    String secretFile() throws IOException {
        Path file = Files.createTempFile(directory, "secret", ""); // for the owner only
        return Files.writeString(file, "only one of the two knows this").toString();
    }

    /** An empty directory for what another build of the plugin consists of. */
    Path newBuildDirectory() throws IOException {
        return Files.createTempDirectory(directory, "build");
    }

    /** Stops all of a host in its tracks, as when its lid is closed, until {@link #resume}. */
    void suspend(String host, Map<String, Long> executors) throws IOException {
        signal(host, executors, Signal.STOP);
    }

    void resume(String host, Map<String, Long> executors) throws IOException {
        signal(host, executors, Signal.CONT);
    }

    private void signal(String host, Map<String, Long> executors, Signal signal) throws IOException {
        agents.signal(host, signal);
        signal.send(executors.getOrDefault(host, 0L));
    }

    /** Kills agent and executor of a host at once, and lets nothing through that the others could notice it by. */
    void loseHost(String host, Map<String, Long> executors) throws IOException {
        proxy.hold();
        cable("pull", "silent", "active");
        agents.signal(host, Signal.KILL);
        kill(executors.getOrDefault(host, 0L));
    }

    /** Ends a process without asking it. */
    static void kill(long process) throws IOException {
        Signal.KILL.send(process);
    }

    /** The processes of the executors, by host. Waits until there is an idle one on each. */
    Map<String, Long> executors() {
        return await().atMost(PATIENCE)
                .until(
                        () -> context.parallelize(List.of(1, 2, 3, 4), 4)
                                .mapToPair(task -> new Tuple2<>(
                                        SparkEnv.get()
                                                .blockManager()
                                                .blockManagerId()
                                                .host(),
                                        ProcessHandle.current().pid()))
                                .collectAsMap(),
                        processes -> processes.keySet().containsAll(BOTH));
    }

    /** Waits until an agent has crashed: a JVM writes down how it ended before it is gone. */
    void awaitCrash() {
        await().atMost(PATIENCE).until(() -> agents.running() < 2);
    }

    /** Waits, while the cable is out, until no agent posts to a link over it, and returns whether one has crashed. */
    boolean hasCrashed() throws IOException {
        awaitEndOfPulledLinks();
        return agents.running() < 2;
    }

    /** Mends what can be mended from outside; after that blocks go by RDMA again, and agents have their memory back. */
    void heal() throws Exception {
        awaitEndOfPulledLinks();
        cable("clear");
        proxy.pass();
        emptyDisks();
        for (String host : BOTH) {
            agents.heal(host);
        }
        try {
            awaitRdma();
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "%d agents run and said:%n%s%n%s"
                            .formatted(agents.running(), agents.log(READER), agents.log(SERVER)),
                    e);
        }
        for (String host : BOTH) {
            await().atMost(PATIENCE).untilAsserted(() -> assertNothingIsHeld(agents.status(host)));
        }
    }

    /**
     * Waits, while the cable is out, until each agent has either crashed or let its links go. An agent that still posts
     * to such a link when the cable is back crashes then, and this class would not start it again.
     */
    private void awaitEndOfPulledLinks() throws IOException {
        if (agents.cables().statistics().at("/cables/0/plugged").asBoolean()) {
            return;
        }
        for (String host : BOTH) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> !agents.runs(host) || postingLinks(agents.status(host)) == 0);
        }
    }

    private static long postingLinks(JsonNode status) {
        return StreamSupport.stream(status.at("/peers").spliterator(), false)
                .flatMap(peer -> StreamSupport.stream(peer.at("/links").spliterator(), false))
                .filter(link -> POSTING.contains(link.at("/state").asText()))
                .count();
    }

    private static void assertNothingIsHeld(JsonNode status) {
        long kept = 0;
        for (JsonNode peer : status.at("/peers")) {
            kept += peer.at("/links").size() * CALIBRATION_BYTES;
        }
        JsonNode memory = status.at("/memory");
        assertThat(memory.at("/usedBytes").asLong()).as(status.toString()).isEqualTo(kept);
        assertThat(memory.at("/pinnedBytes").asLong()).isZero();
        assertThat(memory.at("/stagedBytes").asLong()).isZero();
        assertThat(memory.at("/waiting").asInt()).isZero();
        for (JsonNode executor : status.at("/executors")) {
            assertThat(executor.at("/leases").asInt()).isZero();
            assertThat(executor.at("/fetches").asInt()).isZero();
        }
    }

    /**
     * Ends the cluster. No process is left that it started, not even one that was killed, and none that an executor
     * started instead.
     */
    @Override
    public void close() throws IOException {
        context.close();
        hosts.close();
        agents.close();
        proxy.close();
        await().atMost(PATIENCE)
                .until(() -> ProcessHandle.current().descendants().noneMatch(ProcessTree::isAlive));
    }
}
