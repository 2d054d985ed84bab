package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hosts joined by Thunderbolt and by two cards of another provider, which the agents find by the addresses of the
 * ports.
 */
@Tag("ladder")
class OtherProviderTest {
    private static final String THUNDERBOLT = "rdma_en5:1";
    private static final String CARD = "rdma_mcrdma0:1";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aCardBesideThunderboltCarriesBlocksByReadIfTheUserWantsIt(@TempDir Path directory) throws Exception {
        try (AgentPair agents = joined(directory)
                        .with("spark.boltshuffle.agent.otherProviders", "true")
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context =
                        new JavaSparkContext(agents.applyTo(hosts.applicationConf("other-provider")))) {
            CountingJob job = new CountingJob(context, 20_000, 12);
            job.awaitRdma(agents);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(modes(agents)).isEqualTo(Map.of(THUNDERBOLT, "SEND", CARD, "READ")));
            long before = bytes(agents, "card");

            await().atMost(PATIENCE).until(() -> {
                assertThat(job.run()).isEqualTo(job.expected());
                return bytes(agents, "card") > before && bytes(agents, "thunderbolt") > 0;
            });
        }
    }

    @Test
    void aCardBesideThunderboltIsLeftAloneOtherwise(@TempDir Path directory) throws Exception {
        try (AgentPair agents = joined(directory).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context =
                        new JavaSparkContext(agents.applyTo(hosts.applicationConf("other-provider")))) {
            new CountingJob(context, 20_000, 12).awaitRdma(agents);

            assertThat(modes(agents)).isEqualTo(Map.of(THUNDERBOLT, "SEND"));
            assertThat(bytes(agents, "card")).isZero();
        }
    }

    private static AgentPair joined(Path directory) throws IOException {
        AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND)
                .with("spark.boltshuffle.agent.topologyFile", "");
        Files.write(
                agents.topologyFile(),
                List.of(
                        "profile apple",
                        "host host0",
                        "host host1",
                        "cable thunderbolt host0:en5 host1:en5",
                        "cable card host0:mcrdma0 host1:mcrdma0",
                        "port host0:en5 ipv4 10.1.0.1",
                        "port host1:en5 ipv4 10.1.0.2",
                        "port host0:mcrdma0 ipv4 10.2.0.1",
                        "port host1:mcrdma0 ipv4 10.2.0.2"));
        return agents;
    }

    /** The mode of each link that is up, by the reader's port. */
    private static Map<String, String> modes(AgentPair agents) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        for (JsonNode link : agents.status(AgentPair.READER).at("/peers/0/links")) {
            if (link.at("/state").asText().equals("UP")) {
                modes.put(
                        link.at("/near").asText(), link.at("/calibration/mode").asText());
            }
        }
        return modes;
    }

    /** Returns what moved over a cable so far, both ways. */
    private static long bytes(AgentPair agents, String name) {
        long bytes = 0;
        for (JsonNode cable : agents.cables().statistics().at("/cables")) {
            for (JsonNode direction : cable.at("/directions")) {
                bytes += cable.at("/name").asText().equals(name)
                        ? direction.at("/bytes").asLong()
                        : 0;
            }
        }
        return bytes;
    }
}
