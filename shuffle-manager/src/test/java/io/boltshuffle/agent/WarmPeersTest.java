package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that agents meet cabled hosts when an executor comes, before the first fetch. */
@Tag("slow")
class WarmPeersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TwoAgents hosts;

    WarmPeersTest(@TempDir Path temp) throws IOException {
        Path file = Files.writeString(temp.resolve("hosts.json"), """
                [{"ssh": "127.0.0.2", "ips": [], "rdma": [null, "rdma_en0"]},
                 {"ssh": "127.0.0.3", "ips": [], "rdma": ["rdma_en0", null]}]
                """);
        this.hosts = new TwoAgents(temp, Map.of("spark.boltshuffle.agent.topologyFile", file.toString()));
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void linksAreUpWithoutAFetch() throws Exception {
        hosts.startAgents(1);
        assertThat(hosts.status(TwoAgents.READER).at("/peers")).isEmpty();
        hosts.executor(TwoAgents.READER, "1");
        hosts.executor(TwoAgents.SERVER, "2");
        awaitState("UP");
        assertThat(hosts.status(TwoAgents.READER).at("/counters/fetches").asLong())
                .isZero();
    }

    /** Callers that must not wait for first contact ask this. */
    @Test
    void anExecutorIsToldWhenItsAgentReachesAHostAndWhenNoMore() throws Exception {
        hosts.startAgents(1);
        AgentClient executor = hosts.executor(TwoAgents.READER, "1");
        TwoAgents.awaitConnected(executor);
        assertThat(executor.reaches(TwoAgents.SERVER)).isFalse();

        hosts.executor(TwoAgents.SERVER, "2");
        await().atMost(PATIENCE).until(() -> executor.reaches(TwoAgents.SERVER));

        hosts.stopAgent(TwoAgents.SERVER);
        await().atMost(PATIENCE).until(() -> !executor.reaches(TwoAgents.SERVER));
    }

    @Test
    void aPausedAgentEndsItsLinksAndHasThemAgainWhenThePauseEnds() throws Exception {
        hosts.startAgents(1);
        AgentClient executor = hosts.executor(TwoAgents.READER, "1");
        hosts.executor(TwoAgents.SERVER, "2");
        await().atMost(PATIENCE).until(() -> executor.reaches(TwoAgents.SERVER));

        pause(WireLimits.MAX_PAUSE_SECONDS);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(executor.refusal(TwoAgents.SERVER))
                        .hasValueSatisfying(refusal -> assertThat(refusal.detail())
                                .endsWith(TwoAgents.SERVER + " is paused until bolt agent resume")));
        assertThat(hosts.status(TwoAgents.SERVER).at("/pausedUntil").asText()).isEqualTo("bolt agent resume");
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers/0/links")).isEmpty();

        pause(0);
        await().atMost(PATIENCE).until(() -> executor.reaches(TwoAgents.SERVER));
        assertThat(hosts.status(TwoAgents.SERVER).at("/pausedUntil").asText()).isEmpty();
    }

    @Test
    void aPauseEndsByItself() throws Exception {
        hosts.startAgents(1);
        hosts.executor(TwoAgents.READER, "1");
        pause(1);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(hosts.status(TwoAgents.SERVER)
                                .at("/pausedUntil")
                                .asText())
                        .isEmpty());
    }

    private void pause(long seconds) throws IOException {
        AgentInquiry.pause(hosts.place(TwoAgents.SERVER), Duration.ofSeconds(5), seconds);
    }

    /** Its executor may come any moment. */
    @Test
    void aNeighbourWithoutTheApplicationIsNotDownAndIsMetWhenItHasIt() throws Exception {
        hosts.startAgents(1);
        AgentClient executor = hosts.executor(TwoAgents.READER, "1");
        awaitState("IDLE");
        assertThat(executor.refusal(TwoAgents.SERVER)).isEmpty();
        assertThat(hosts.status(TwoAgents.SERVER).at("/peers")).isEmpty();
        hosts.executor(TwoAgents.SERVER, "2");
        awaitState("UP");
    }

    @Test
    void aNeighbourIsForgottenWhenTheLastExecutorIsGone() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        AgentClient executor = hosts.executor(TwoAgents.READER, "1");
        awaitState("IDLE");
        executor.close();
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(hosts.status(TwoAgents.READER).at("/peers")).isEmpty());
    }

    @Test
    void aNeighbourWithoutAnAgentIsNotDownAndIsMetWhenItComes() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        AgentClient executor = hosts.executor(TwoAgents.READER, "1");
        awaitState("IDLE");
        assertThat(executor.refusal(TwoAgents.SERVER)).isEmpty();
        hosts.startAgent(TwoAgents.SERVER, 1, Map.of());
        hosts.executor(TwoAgents.SERVER, "2");
        awaitState("UP");
    }

    private void awaitState(String state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(hosts.status(TwoAgents.READER)
                                .at("/peers/0/state")
                                .asText())
                        .isEqualTo(state));
    }
}
