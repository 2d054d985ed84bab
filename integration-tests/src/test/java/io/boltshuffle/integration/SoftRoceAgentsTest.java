package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two node agents over a kernel's own verbs, in the lab's guest: they meet, one is killed, and they meet again. */
@Tag("soft-roce")
@Timeout(2400)
class SoftRoceAgentsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String NEAR = NodeAgents.LAB_HOSTS.get(0);
    private static final String FAR = NodeAgents.LAB_HOSTS.get(1);

    @ParameterizedTest
    @CsvSource({"send", "read"})
    void agentsLinkUpAndDoSoAgainAfterOneWasKilled(String mode, @TempDir Path directory) throws Exception {
        try (NodeAgents agents = NodeAgents.onSoftRoce(Files.createDirectories(directory.resolve("n")))
                .with("spark.boltshuffle.agent.linkMode", mode)
                .startBoth()) {
            awaitLink(agents, "UP");
            NodeAgents.run(agents.signalCommand(FAR, "KILL"));
            agents.awaitEnd(FAR);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(
                            () -> assertThat(peer(agents, NEAR).at("/links").findValuesAsText("state"))
                                    .doesNotContain("UP"));
            agents.start(FAR);
            awaitLink(agents, "UP");
            assertThat(peer(agents, NEAR).at("/links/0/near").asText()).contains("rdma_en5");
            assertThat(peer(agents, NEAR).at("/links/0/far").asText()).contains("rdma_en6");
        }
    }

    private static void awaitLink(NodeAgents agents, String state) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(peer(agents, NEAR).at("/links").findValuesAsText("state"))
                        .containsExactly(state));
    }

    private static JsonNode peer(NodeAgents agents, String host) throws IOException {
        return agents.status(host).at("/peers/0");
    }
}
