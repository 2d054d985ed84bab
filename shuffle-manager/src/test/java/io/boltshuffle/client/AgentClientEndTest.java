package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that ask a client hear of its end when its thread ends by a defect that nothing could handle. */
@Timeout(60)
class AgentClientEndTest {

    private static final BlockRange BLOCK = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, 2).toRange();

    private final AgentClient client;

    AgentClientEndTest(@TempDir Path directory) throws Exception {
        client = AgentClient.open(new ClientStart(
                "host",
                directory,
                Settings.parse(Map.of(Options.AGENT_AUTO_START.key(), "false")),
                new Registration("app-1", "2", List.of(), 1, "sort", Secret.of(new byte[] {1})),
                Map.of()));
    }

    /** Counts the blocks of a fetch that it has heard of. */
    private static final class Asker implements FetchListener {
        private final CountDownLatch unanswered = new CountDownLatch(2);

        @Override
        public void onSlice(BlockSlice slice, FetchedBytes bytes) {
            throw new AssertionError("there is no agent");
        }

        @Override
        public void onFailed(int blockIndex, FailureReason reason, String detail) {
            unanswered.countDown();
        }
    }

    private Asker fetch() {
        Asker asker = new Asker();
        client.fetch(new FetchRequest("there", "1", 7, List.of(BLOCK, BLOCK)), asker);
        return asker;
    }

    @Test
    void aFetchThatWaitsAsTheThreadEndsIsAnsweredAndSoIsOneAfterTheEnd() throws Exception {
        CompletableFuture<Boolean> gate = new CompletableFuture<>();
        client.loop().execute(gate::join);
        client.loop().execute(() -> {
            throw new OutOfMemoryError("made by a test");
        });
        Asker waiting = fetch();
        gate.complete(true);

        assertThat(waiting.unanswered.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(fetch().unanswered.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(client.refusal("there"))
                .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo(FailureReason.AGENT_LOST));
        client.close();
    }
}
