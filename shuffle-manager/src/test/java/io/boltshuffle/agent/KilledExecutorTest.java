package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.wire.BlockRange;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor in a process of its own, killed between the commit of a map output and its publication. */
@Timeout(120)
class KilledExecutorTest {

    private static final long DEATH_SECONDS = 20;

    @Test
    void theFileServesWhatAKilledExecutorDidNotPublish(@TempDir Path temp) throws Exception {
        try (TwoAgents hosts = new TwoAgents(temp, Map.of("spark.boltshuffle.outputs.memory", "8m"))) {
            hosts.startAgents(1);
            AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));
            Process executor = hosts.program(WritingExecutor.class, TwoAgents.SERVER, "1");
            try (BufferedReader said = executor.inputReader(StandardCharsets.UTF_8)) {
                assertThat(said.readLine()).isEqualTo(WritingExecutor.COMMITTED);
                assertThat(outputs(hosts, "usedBytes")).isGreaterThanOrEqualTo(WritingExecutor.BYTES);
            } finally {
                executor.destroyForcibly();
            }
            assertThat(executor.waitFor(DEATH_SECONDS, TimeUnit.SECONDS)).isTrue();

            await().atMost(Duration.ofSeconds(DEATH_SECONDS)).until(() -> outputs(hosts, "usedBytes") == 0);
            assertThat(outputs(hosts, "published")).isZero();
            BlockRange block = new BlockRange(0, 1, 0, 1);
            assertThat(Collected.fetch(reader, List.of(block), /* keep= */ false)
                            .await()
                            .block(0))
                    .isEqualTo(hosts.files().expected(block));
            assertThat(hosts.status(TwoAgents.SERVER)
                            .at("/counters/servedFromMemoryBytes")
                            .asLong())
                    .isZero();
        }
    }

    private static long outputs(TwoAgents hosts, String figure) throws IOException {
        return hosts.status(TwoAgents.SERVER).at("/outputs/" + figure).asLong();
    }
}
