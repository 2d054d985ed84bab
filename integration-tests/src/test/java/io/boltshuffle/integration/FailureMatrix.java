package io.boltshuffle.integration;

import static io.boltshuffle.integration.FaultyCluster.READER;
import static io.boltshuffle.integration.FaultyCluster.SERVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.os.Signal;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The failures that can happen under a running job. docs/reliability.md has a line for each row. */
final class FailureMatrix {

    private static final String SEED = "7";

    static final List<FailureRow> ROWS = List.of(
            every(
                    "agent killed at the reading side",
                    (cluster, job) -> job.inFlight(() -> cluster.agents().signal(READER, Signal.KILL))),
            ladder(
                    "agent killed at the serving side",
                    (cluster, job) -> job.inFlight(() -> cluster.agents().signal(SERVER, Signal.KILL))),
            ladder(
                    "agent stopped at the reading side",
                    (cluster, job) -> job.inFlight(() -> cluster.agents().signal(READER, Signal.STOP))),
            ci(
                    "agent stopped at the serving side",
                    (cluster, job) -> job.inFlight(() -> cluster.agents().signal(SERVER, Signal.STOP))),
            ladder(
                    "agent ended in good order",
                    (cluster, job) -> job.inFlight(() -> cluster.agents().signal(READER, Signal.TERM))),
            every("agent restarted and RDMA resumes", (cluster, job) -> {
                AtomicLong before = new AtomicLong();
                job.betweenTwoShuffles(() -> {
                    restartOf(SERVER, cluster);
                    before.set(cluster.agents().servedBytes());
                });
                assertThat(cluster.agents().servedBytes()).isGreaterThan(before.get());
            }),
            ladder("agent replaced by one of another build", (cluster, job) -> {
                AtomicLong before = new AtomicLong();
                job.betweenTwoShuffles(() -> {
                    replace(SERVER, cluster, OtherBuild.ofTheSameProtocols(cluster.newBuildDirectory()));
                    awaitMeeting(SERVER, cluster);
                    before.set(cluster.agents().servedBytes());
                });
                assertThat(cluster.agents().servedBytes()).isGreaterThan(before.get());
                assertThat(cluster.agents()
                                .status(SERVER)
                                .at(OtherBuild.STATUS_FIELD)
                                .asBoolean())
                        .isTrue();
            }),
            ci("agent replaced by one with other protocols", (cluster, job) -> {
                AtomicLong before = new AtomicLong();
                job.betweenTwoShuffles(() -> {
                    replace(SERVER, cluster, OtherBuild.ofTheNextProtocols(cluster.newBuildDirectory()));
                    cluster.awaitPeerDetail(
                            "speaks version " + OtherBuild.NEXT_VERSION + ", this one " + WireLimits.CONTROL_VERSION);
                    before.set(cluster.servedBytes(READER));
                });
                assertThat(cluster.servedBytes(READER)).isEqualTo(before.get());
                cluster.agents().installOwn(SERVER);
                cluster.agents().restart(SERVER, Map.of());
            }),
            ladder("both agents replaced by ones with other protocols", (cluster, job) -> {
                int nextVersion = WireLimits.SESSION_VERSION + 1;
                AtomicLong before = new AtomicLong();
                job.betweenTwoShuffles(() -> {
                    Path otherBuild = OtherBuild.ofTheNextProtocols(cluster.newBuildDirectory());
                    for (String host : List.of(READER, SERVER)) {
                        cluster.agents().signal(host, Signal.TERM);
                        cluster.agents().awaitEnd(host);
                        cluster.agents().install(host, otherBuild);
                        cluster.agents().start(host);
                    }
                    before.set(cluster.frames());
                });
                assertThat(cluster.frames()).as("frames on the cable").isEqualTo(before.get());
                await().atMost(FaultyCluster.PATIENCE)
                        .untilAsserted(
                                () -> assertThat(cluster.logsOfExecutorsWith("no agent for", "this one " + nextVersion))
                                        .as("logs of executors that say so")
                                        .hasSize(2));
                for (String host : List.of(READER, SERVER)) {
                    cluster.agents().installOwn(host);
                    cluster.agents().restart(host, Map.of());
                }
            }),
            ladder("host suspended for a while", (cluster, job) -> {
                Map<String, Long> executors = cluster.executors();
                job.inFlight(() -> {
                    cluster.suspend(SERVER, executors);
                    cluster.awaitPeerDetail("silent for");
                    cluster.resume(SERVER, executors);
                });
            }),
            // Here and in the next one, ports that say DOWN would let the agents notice in time.
            onThunderbolt(FailureRow.Runs.LADDER, "cable pulled before a pull, agents crash", (cluster, job) -> {
                job.before(() -> cluster.cable("pull", "segv", "active"));
                cluster.awaitCrash();
            }),
            onThunderbolt(FailureRow.Runs.EVERY_BUILD, "cable pulled during a pull, agents crash", (cluster, job) -> {
                job.pulledInFlight("segv", "active");
                for (int again = 0; again < 3 && !cluster.hasCrashed(); again++) { // the whole pull was posted by then
                    cluster.heal();
                    job.pulledInFlight("segv", "active");
                }
                cluster.awaitCrash();
            }),
            ladder("cable pulled before a pull", (cluster, job) -> job.before(() -> cluster.cable("pull", "silent"))),
            ci("cable pulled during a pull", (cluster, job) -> job.pulledInFlight("silent")),
            ci("cable pulled while nothing moves, agents notice", (cluster, job) -> {
                job.before(() -> {
                    cluster.cable("pull", "segv");
                    cluster.awaitPeer("DOWN");
                });
                assertThat(cluster.agents().running()).isEqualTo(2);
            }),
            ladder(
                    "cable pulled after the last pull",
                    (cluster, job) -> job.afterTheLastRow(() -> cluster.cable("pull", "segv"))),
            ladder("peer silent on an active port", (cluster, job) -> job.before(() -> cluster.cable("mute", "on"))),
            ci("frames lost", (cluster, job) -> job.before(() -> cluster.cable("lose", "rate", "0.05", "seed", SEED))),
            every("frames corrupted", (cluster, job) -> {
                long before = cluster.damagedLinks();
                job.before(() -> cluster.cable("corrupt", "rate", "0.05", "seed", SEED));
                assertThat(cluster.damagedLinks()).isGreaterThan(before);
            }),
            ladder("host gone", (cluster, job) -> {
                Map<String, Long> executors = cluster.executors();
                job.atFirstRowWithRetries(task -> cluster.loseHost(other(task.host()), executors));
            }),
            every(
                    "executor killed holding blocks",
                    (cluster, job) -> job.atFirstRowWithRetries(task -> FaultyCluster.kill(task.processId()))),
            ci("task killed holding blocks", (cluster, job) -> job.cancelledWhileATaskReads()),
            every("iterator dropped", (cluster, job) -> job.letsGoOfItsRows()),
            ladder("shuffle file deleted", (cluster, job) -> job.betweenTwoReads(Files::delete)),
            ci("shuffle file truncated", (cluster, job) -> job.betweenTwoReads(FailureMatrix::cutShort)),
            every("pool exhausted", (cluster, job) -> {
                // A task that waits holds its share of the slab: what else comes for it must be copied out.
                Map<String, Long> before =
                        Map.of(READER, cluster.copiedOutBytes(READER), SERVER, cluster.copiedOutBytes(SERVER));
                job.large()
                        .atFirstRowOfSomeJob(
                                task -> cluster.copiesMoreOut(task.host(), before.getOrDefault(task.host(), 0L)));
            }),
            ci("disk full, blocks go to memory", (cluster, job) -> {
                AtomicLong before = new AtomicLong();
                job.beforeTheSecondRead(() -> {
                    before.set(cluster.agents().servedBytes());
                    cluster.fillDisks(0);
                });
                assertThat(cluster.agents().servedBytes()).isGreaterThan(before.get());
            }),
            ladder("disk full for a while, blocks go to files", (cluster, job) -> {
                long before = cluster.diskFallbacks();
                job.toFiles().duringTheSecondRead(() -> cluster.fillDisks(1 << 20), () -> {
                    await().atMost(FaultyCluster.PATIENCE).until(() -> cluster.diskFallbacks() > before);
                    cluster.emptyDisks();
                });
            }),
            ci("control connection cut", (cluster, job) -> job.inFlight(cluster.proxy()::cut)),
            ladder(
                    "control connection silent",
                    (cluster, job) -> job.inFlight(() -> {
                        cluster.proxy().hold();
                        cluster.awaitPeerDetail("silent for");
                    })),
            ladder(
                    "control connection slow",
                    (cluster, job) -> job.before(() -> cluster.proxy().slow())),
            every(
                    "control connection speaks garbage",
                    (cluster, job) -> job.inFlight(() -> cluster.proxy().inject(garbage()))),
            ladder(
                    "peer of an old version",
                    (cluster, job) -> job.before(() -> {
                        cluster.proxy().answer(greetingOfVersion(WireLimits.CONTROL_VERSION - 1));
                        cluster.proxy().cut();
                        cluster.awaitPeerDetail("speaks version " + (WireLimits.CONTROL_VERSION - 1));
                    })),
            ladder("peer with another secret", (cluster, job) -> {
                job.before(() -> {
                    cluster.agents()
                            .restart(SERVER, Map.of("spark.boltshuffle.agent.secretFile", cluster.secretFile()));
                    cluster.awaitPeerDetail("cluster secret");
                });
                cluster.agents().restart(SERVER, Map.of("spark.boltshuffle.agent.secretFile", ""));
            }));

    private FailureMatrix() {}

    private static FailureRow every(String name, FailureRow.Strike strike) {
        return new FailureRow(name, FailureRow.Runs.EVERY_BUILD, true, strike);
    }

    private static FailureRow ci(String name, FailureRow.Strike strike) {
        return new FailureRow(name, FailureRow.Runs.CI, true, strike);
    }

    private static FailureRow onThunderbolt(FailureRow.Runs runs, String name, FailureRow.Strike strike) {
        return new FailureRow(name, runs, false, strike);
    }

    private static FailureRow ladder(String name, FailureRow.Strike strike) {
        return new FailureRow(name, FailureRow.Runs.LADDER, true, strike);
    }

    private static String other(String host) {
        return host.equals(READER) ? SERVER : READER;
    }

    private static void restartOf(String host, FaultyCluster cluster) throws Exception {
        cluster.agents().signal(host, Signal.KILL);
        cluster.agents().awaitEnd(host);
        cluster.awaitPeer("DOWN");
        cluster.agents().start(host);
        awaitMeeting(host, cluster);
    }

    private static void replace(String host, FaultyCluster cluster, Path otherBuild) throws Exception {
        cluster.agents().signal(host, Signal.TERM);
        cluster.agents().awaitEnd(host);
        cluster.awaitPeer("DOWN");
        cluster.agents().install(host, otherBuild);
        cluster.agents().start(host);
    }

    /** Waits until the other agent and an executor have met the agent of this host. */
    private static void awaitMeeting(String host, FaultyCluster cluster) {
        cluster.awaitPeer("UP");
        await().atMost(FaultyCluster.PATIENCE)
                .until(() -> !cluster.agents().status(host).at("/executors").isEmpty());
    }

    /**
     * Within its last block: of a block that is missing whole, a local reader of stock Spark does not say what is
     * wrong.
     */
    private static void cutShort(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(bytes.length() - 100);
        }
    }

    private static byte[] garbage() {
        byte[] garbage = new byte[4096];
        new Random(Long.parseLong(SEED)).nextBytes(garbage);
        return garbage;
    }

    private static byte[] greetingOfVersion(int version) {
        ByteBuffer greeting = ControlMessage.CODEC.encode(
                new ControlMessage.Hello(version, SERVER, 1, Opaque.of(new byte[WireLimits.NONCE_BYTES]), false));
        byte[] bytes = new byte[greeting.remaining()];
        greeting.get(bytes);
        return bytes;
    }
}
