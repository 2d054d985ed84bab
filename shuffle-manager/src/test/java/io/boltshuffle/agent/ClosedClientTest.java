package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
        OneBlock block = OneBlock.written(hosts, BYTES);
        Collected read = block.fetch(/* keep= */ true).await();
        assertThat(read.failures()).isEmpty();

        block.reader().close();

        // The end of a socket would have been at the agent before this question was.
        assertThat(hosts.pinnedBytes(TwoAgents.READER)).isEqualTo(BYTES);
        assertThat(block.failures()).hasSize(1);
        read.releaseAll();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> hosts.sessions(TwoAgents.READER) == 0 && hosts.pinnedBytes(TwoAgents.READER) == 0);
    }
}
