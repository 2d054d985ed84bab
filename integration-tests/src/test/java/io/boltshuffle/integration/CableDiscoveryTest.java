package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cables are crossed, and no topology file tells the agents of them. The agents find them by the networks of the
 * ports, before the first fetch.
 */
@Tag("slow")
class CableDiscoveryTest {

    @Test
    void agentsFindTheirCablesByThemselves(@TempDir Path directory) throws Exception {
        try (AgentPair agents = new AgentPair(directory, 2).with("spark.boltshuffle.agent.topologyFile", "")) {
            Files.write(
                    agents.topologyFile(),
                    List.of(
                            "profile apple",
                            "host host0",
                            "host host1",
                            "cable c0 host0:en5 host1:en6",
                            "cable c1 host0:en6 host1:en5",
                            "port host0:en5 ipv4 10.1.0.1",
                            "port host1:en6 ipv4 10.1.0.2",
                            "port host0:en6 ipv4 10.2.0.1",
                            "port host1:en5 ipv4 10.2.0.2"));
            agents.startBoth();
            try (AgentClient executor = AgentClient.open(executorOf(AgentPair.READER, "1", agents));
                    AgentClient other = AgentClient.open(executorOf(AgentPair.SERVER, "2", agents))) {
                // The application is the two agents' reason to tell each other of ports.
                other.expect(List.of());
                executor.expect(List.of(AgentPair.SERVER));
                await().atMost(Duration.ofMinutes(2))
                        .ignoreExceptionsInstanceOf(IOException.class) // until the agent listens
                        .untilAsserted(() -> assertThat(upLinks(agents))
                                .isEqualTo(Map.of("rdma_en5:1", "rdma_en6:1", "rdma_en6:1", "rdma_en5:1")));
                assertThat(agents.status(AgentPair.READER)
                                .at("/counters/fetches")
                                .asLong())
                        .isZero();
            }
        }
    }

    private static ClientStart executorOf(String host, String id, AgentPair agents) {
        Registration registration =
                new Registration("app-1", id, List.of("/nowhere"), 64, "sort", Secret.of(new byte[] {1}));
        return new ClientStart(host, agents.root(), Settings.parse(agents.settings()), registration, Map.of());
    }

    /** The reader's ports, and those of the server that they face. */
    private static Map<String, String> upLinks(AgentPair agents) throws Exception {
        Map<String, String> facing = new TreeMap<>();
        for (JsonNode link : agents.status(AgentPair.READER).at("/peers/0/links")) {
            if (link.at("/state").asText().equals("UP")) {
                facing.put(link.at("/near").asText(), link.at("/far").asText());
            }
        }
        return facing;
    }
}
