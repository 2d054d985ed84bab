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

/**
 * Jobs beside a program that uses the cable as MLX does, and has all queue pairs or all memory regions of both devices.
 */
@Tag("ladder")
class UsedUpDeviceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"queue_pairs 1", "memory_regions 64"})
    void jobsGoByTcpAndNothingIsHeldUntilTheOtherProgramLetsGo(String budget) throws Exception {
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1)
                        // A fetch that waits for first contact would wait for longer than this test does.
                        .with("spark.boltshuffle.agent.connectTimeout", "5min")
                        .with("spark.boltshuffle.agent.slab", "64m")
                        .with("spark.boltshuffle.agent.topologyFile", "");
                TwoHosts hosts = TwoHosts.start(directory)) {
            VirtualFabric fabric = VirtualFabric.at(
                    agents.topologyFile(),
                    "profile apple",
                    "os 26",
                    "option " + budget,
                    "host host0",
                    "host host1",
                    "cable c0 host0:en5 host1:en5",
                    "port host0:en5 ipv4 10.1.0.1",
                    "port host1:en5 ipv4 10.1.0.2");
            Process other = fabric.startNeighbour("host0:rdma_en5", "host1:rdma_en5");
            try (BufferedReader said = other.inputReader()) {
                assertThat(said.readLine()).isEqualTo("ready");
                agents.startBoth();
                try (JavaSparkContext context = new JavaSparkContext(
                        ShuffleKind.OURS.applyTo(agents.applyTo(hosts.applicationConf("used-up"))))) {
                    CountingJob job = new CountingJob(context, 20_000, 12);
                    assertThat(job.run()).isEqualTo(job.expected());
                    awaitPause(agents, budget.startsWith("queue") ? "queue pairs" : "memory regions");
                    awaitHeld(agents, 1, 64);
                    assertThat(job.run()).isEqualTo(job.expected());
                    assertThat(agents.servedBytes()).isZero();

                    other.getOutputStream().close();
                    assertThat(said.readLine()).endsWith(" rounds right");
                    job.awaitRdma(agents);
                    assertThat(states(agents)).containsOnly("in use");

                    pause(agents, WireLimits.MAX_PAUSE_SECONDS);
                    awaitHeld(agents, 0, 0);
                    long served = agents.servedBytes();
                    assertThat(job.run()).isEqualTo(job.expected());
                    assertThat(agents.servedBytes()).isEqualTo(served);
                    pause(agents, 0);
                    job.awaitRdma(agents);
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
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode ports = agents.cables().statistics().at("/ports");
            assertThat(ports).hasSize(2).allSatisfy(port -> {
                assertThat(port.at("/queuePairs/used").asInt()).isEqualTo(queuePairs);
                assertThat(port.at("/memoryRegions/used").asInt()).isEqualTo(regions);
                assertThat(port.at("/queuePairs/leaked").asInt()).isZero();
                assertThat(port.at("/memoryRegions/leaked").asInt()).isZero();
            });
        });
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
