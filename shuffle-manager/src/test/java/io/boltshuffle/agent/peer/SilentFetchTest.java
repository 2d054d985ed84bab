package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows, in virtual time, how long fetches wait from which a peer's agent says nothing at all. */
class SilentFetchTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final BlockRange IN_A_FILE = new BlockRange(0, 0, 0, 1);

    private final Path directory;
    private final SimLoop loop = new SimLoop();
    private final List<Long> asked = new ArrayList<>();
    private TrustFixture fixture;
    private PullClient client;

    SilentFetchTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void start() throws Exception {
        fixture = new TrustFixture(directory, Map.of());
        client = new PullClient(fixture.services("here", 1, loop).fetching(), List::of, this::hear);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        client.close(FailureReason.STOPPING, "the test is over");
        fixture.close();
    }

    private void hear(ControlMessage message) {
        if (message instanceof ControlMessage.Pull pull) {
            asked.add(pull.pullId());
        }
    }

    private static final class Received implements FetchReceiver {
        private Runnable cancel = () -> {};
        private @Nullable FailureReason failure;

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void onStarted(Runnable cancelThis) {
            cancel = cancelThis;
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            throw new AssertionError("no block comes");
        }

        @Override
        public void onBlockFailures(List<BlockFailure> failures, String detail) {
            throw new AssertionError("no block fails alone");
        }

        @Override
        public void onDone() {
            throw new AssertionError("no block comes");
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            failure = reason;
        }
    }

    private Received fetch(String executor, BlockRange block) {
        Received received = new Received();
        client.start(
                new FetchOrder(
                        TrustFixture.APPLICATION,
                        "there",
                        executor,
                        new LeaseOwner("a task"),
                        loop.nanoTime(),
                        TIMEOUT.toNanos(),
                        List.of(block)),
                received);
        return received;
    }

    private Received fetch() {
        return fetch("1", IN_A_FILE);
    }

    private void refuseLast() {
        client.onNotReady(
                new ControlMessage.NotReady(asked.get(asked.size() - 1), FailureReason.STORAGE_HANGS, "it hangs"));
    }

    @Test
    void afterOneOfWhichNothingCameOthersAreRefusedAtOnce() {
        Received first = fetch();
        Received together = fetch();
        loop.advance(TIMEOUT);
        assertThat(first.failure).isEqualTo(FailureReason.DEADLINE);
        assertThat(together.failure).isEqualTo(FailureReason.DEADLINE);

        assertThat(fetch().failure).isEqualTo(FailureReason.DEADLINE);
        assertThat(asked).hasSize(2);
    }

    @Test
    void onlyThatExecutorAndThatWayOfKeepingBlocksIsMeant() {
        fetch();
        loop.advance(TIMEOUT);

        assertThat(fetch("2", IN_A_FILE).failure).isNull();
        assertThat(fetch("1", new LiveBlock(LiveBlock.Kind.TASK_RESULT, 1, 0).toRange()).failure)
                .isNull();
    }

    @Test
    void laterOneTriesAgainAndTheOthersWaitForWhatItHears() {
        fetch();
        loop.advance(TIMEOUT);
        loop.advance(Duration.ofSeconds(10));

        Received trying = fetch();
        assertThat(trying.failure).isNull();
        assertThat(fetch().failure).isEqualTo(FailureReason.DEADLINE);
        loop.advance(TIMEOUT);
        assertThat(trying.failure).isEqualTo(FailureReason.DEADLINE);

        loop.advance(Duration.ofSeconds(19));
        assertThat(fetch().failure).as("the second pause is longer").isEqualTo(FailureReason.DEADLINE);
        loop.advance(Duration.ofSeconds(1));
        assertThat(fetch().failure).isNull();
    }

    @Test
    void anyAnswerEndsThePauseEvenARefusal() {
        fetch();
        loop.advance(TIMEOUT);
        loop.advance(Duration.ofSeconds(10));
        Received trying = fetch();
        refuseLast();
        assertThat(trying.failure).isEqualTo(FailureReason.STORAGE_HANGS);

        assertThat(fetch().failure).isNull();
        assertThat(fetch().failure).isNull();
    }

    @Test
    void oneThatTriesAndIsCalledOffLeavesItToTheNext() {
        fetch();
        loop.advance(TIMEOUT);
        loop.advance(Duration.ofSeconds(10));

        fetch().cancel.run();

        assertThat(fetch().failure).isNull();
    }
}
