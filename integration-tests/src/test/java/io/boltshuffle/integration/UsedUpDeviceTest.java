package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.rdma.verbs.VirtualFabric;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.WireLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs beside a program that uses the cable as MLX does, with and without what it leaves of both devices. */
@Tag("ladder")
class UsedUpDeviceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The other program holds so many of each device. */
    private static final int OTHERS_REGIONS = 64;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"option queue_pairs 1", "option memory_regions 64"})
    void jobsGoByTcpAndNothingIsHeldUntilTheOtherProgramLetsGo(String budget) throws Exception {
        besideAnotherProgram(List.of("os 26", budget), (agents, job, letGo) -> {
            assertThat(job.run()).isEqualTo(job.expected());
            awaitPause(agents, budget.contains("queue") ? "queue pairs" : "memory regions");
            awaitHeld(agents, 1, OTHERS_REGIONS);
            assertThat(job.run()).isEqualTo(job.expected());
            assertThat(agents.servedBytes()).isZero();

            letGo.run();
            job.awaitRdma(agents);
            assertThat(states(agents)).containsOnly("in use");

            pause(agents, WireLimits.MAX_PAUSE_SECONDS);
            awaitHeld(agents, 0, 0);
            long served = agents.servedBytes();
            assertThat(job.run()).isEqualTo(job.expected());
            assertThat(agents.servedBytes()).isEqualTo(served);
            pause(agents, 0);
            job.awaitRdma(agents);
        });
    }

    /** On macOS 27 a device has three queue pairs in place of ten, and the other program has one of them. */
    @ParameterizedTest
    @ValueSource(strings = {"os 26", "os 27"})
    void jobsGoByRdmaBesideTheOtherProgram(String os) throws Exception {
        besideAnotherProgram(List.of(os), (agents, job, letGo) -> {
            job.awaitRdma(agents);
            assertThat(states(agents)).containsOnly("in use");
            for (int i = 0; i < 3; i++) {
                long served = agents.servedBytes();
                assertThat(job.run()).isEqualTo(job.expected());
                assertThat(agents.servedBytes()).isGreaterThan(served);
            }
            assertThat(ports(agents)).allSatisfy(port -> {
                assertThat(port.at("/queuePairs/used").asInt()).isEqualTo(2);
                assertThat(port.at("/memoryRegions/used").asInt())
                        .isGreaterThan(OTHERS_REGIONS)
                        .isLessThanOrEqualTo(OTHERS_REGIONS + 32);
            });

            letGo.run();
            assertThat(job.run()).isEqualTo(job.expected());
            assertThat(states(agents)).containsOnly("in use");
        });
    }

    private interface Body {
        /** @param letGo ends the other program, whose messages all have to have been right */
        void accept(AgentPair agents, CountingJob job, ThrowingRunnable letGo) throws Exception;
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /** Runs the body when the other program is at work, and agents have been started. */
    private void besideAnotherProgram(List<String> limits, Body body) throws Exception {
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1)
                        // A fetch that waits for first contact would wait for longer than this test does.
                        .with("spark.boltshuffle.agent.connectTimeout", "5min")
                        .with("spark.boltshuffle.agent.slab", "64m");
                TwoHosts hosts = TwoHosts.start(directory)) {
            // With "os 27" no GID holds the address by which ports without a file find each other.
            if (!limits.contains("os 27")) {
                agents.with("spark.boltshuffle.agent.topologyFile", "");
            }
            List<String> topology = new ArrayList<>(List.of("profile apple"));
            topology.addAll(limits);
            topology.addAll(List.of(
                    "host host0",
                    "host host1",
                    "cable c0 host0:en5 host1:en5",
                    "port host0:en5 ipv4 10.1.0.1",
                    "port host1:en5 ipv4 10.1.0.2"));
            VirtualFabric fabric = VirtualFabric.at(agents.topologyFile(), topology.toArray(String[]::new));
            Process other = fabric.startNeighbour("host0:rdma_en5", "host1:rdma_en5");
            try (BufferedReader said = other.inputReader()) {
                assertThat(said.readLine()).isEqualTo("ready");
                agents.startBoth();
                try (JavaSparkContext context = new JavaSparkContext(
                        ShuffleKind.OURS.applyTo(agents.applyTo(hosts.applicationConf("used-up"))))) {
                    body.accept(agents, new CountingJob(context, 20_000, 12), () -> {
                        other.getOutputStream().close();
                        assertThat(said.readLine()).endsWith(" rounds right");
                    });
                }
            } finally {
                other.destroyForcibly();
            }
        }
    }

    private static void awaitPause(AgentPair agents, String what) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(states(agents))
                        .anySatisfy(state -> assertThat(state)
                                .startsWith("paused since ")
                                .contains("rdma_en5 has no " + what + " left")));
        // Both hosts say why, whichever met it.
        for (String host : TwoHosts.HOSTS) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(agents.status(host).at("/peers").findValuesAsText("detail"))
                                    .anySatisfy(detail -> assertThat(detail).contains("has no " + what + " left")));
        }
    }

    /** Waits until all programs together have so many queue pairs and memory regions of each device. */
    private static void awaitHeld(AgentPair agents, int queuePairs, int regions) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ports(agents)).allSatisfy(port -> {
                    assertThat(port.at("/queuePairs/used").asInt()).isEqualTo(queuePairs);
                    assertThat(port.at("/memoryRegions/used").asInt()).isEqualTo(regions);
                    assertThat(port.at("/queuePairs/leaked").asInt()).isZero();
                    assertThat(port.at("/memoryRegions/leaked").asInt()).isZero();
                }));
    }

    private static JsonNode ports(AgentPair agents) {
        JsonNode ports = agents.cables().statistics().at("/ports");
        assertThat(ports).hasSize(2);
        return ports;
    }

    private static List<String> states(AgentPair agents) throws IOException {
        List<String> states = new ArrayList<>();
        for (String host : TwoHosts.HOSTS) {
            agents.status(host)
                    .at("/ports")
                    .forEach(port -> states.add(port.at("/state").asText()));
        }
        return states;
    }

    private static void pause(AgentPair agents, long seconds) throws IOException {
        for (String host : TwoHosts.HOSTS) {
            AgentInquiry.pause(MeetingPlace.open(agents.root(), host), PATIENCE, seconds);
        }
    }
}
