package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An executor closes its client while tasks still read, as Spark does, which stops an executor without waiting for its
 * tasks.
 */
class ClosedClientTest {

    private static final int BYTES = 100_000;

    private final TwoAgents hosts;

    ClosedClientTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void whatTasksReadStaysTheirsAfterAnOrderlyClose() throws Exception {
        hosts.startAgents(1);
        AgentClient server = hosts.executor(TwoAgents.SERVER, "1");
        AgentClient reader = hosts.executor(TwoAgents.READER, "2");
        awaitConnected(server);
        awaitConnected(reader);
        hosts.files().write(0, 1, BYTES);
        Collected read = new Collected(1, /* keep= */ true);
        reader.fetch(request(), read);
        assertThat(read.await().failures()).isEmpty();

        reader.close();

        // The end of a socket would have been at the agent before this question was.
        assertThat(pinnedBytes()).isEqualTo(BYTES);
        Collected late = new Collected(1, /* keep= */ false);
        reader.fetch(request(), late);
        assertThat(late.await().failures()).hasSize(1);
        read.releaseAll();
        await().atMost(Duration.ofSeconds(20)).until(() -> sessions() == 0 && pinnedBytes() == 0);
    }

    private int sessions() throws IOException {
        return hosts.status(TwoAgents.READER).at("/executors").size();
    }

    private long pinnedBytes() throws IOException {
        return hosts.status(TwoAgents.READER).at("/memory/pinnedBytes").asLong();
    }

    private static FetchRequest request() {
        return new FetchRequest(TwoAgents.SERVER, "1", 7, List.of(new BlockRange(0, 1, 0, 1)));
    }

    private static void awaitConnected(AgentClient client) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> client.refusal("a host that nobody asked for").isEmpty());
    }
}
