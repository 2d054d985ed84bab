package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.wire.BlockRange;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark may call a host. */
class HostAddressTest {

    /** Spark puts brackets round IPv6 addresses; {@code localhost} may have addresses of both families. */
    @ParameterizedTest
    @ValueSource(strings = {"::1", "[::1]", "localhost"})
    void blocksComeFromAHostByAnyNameOfIts(String server, @TempDir Path temp) throws Exception {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName(server)) != null, "no " + server + " here");
        try (TwoAgents hosts = new TwoAgents(temp, server, Map.of())) {
            hosts.startAgents(1);
            AgentClient serving = hosts.executor(server, "1");
            AgentClient reader = hosts.executor(TwoAgents.READER, "2");
            for (AgentClient client : List.of(serving, reader)) {
                await().atMost(Duration.ofSeconds(10))
                        .until(() ->
                                client.refusal("a host that nobody asked for").isEmpty());
            }
            BlockRange block = new BlockRange(0, 1, 0, 1);
            hosts.files().write(0, 1, 100_000);
            Collected collected = new Collected(1, false);
            reader.fetch(new FetchRequest(server, "1", 7, List.of(block)), collected);

            assertThat(collected.await().block(0)).isEqualTo(hosts.files().expected(block));
        }
    }
}
