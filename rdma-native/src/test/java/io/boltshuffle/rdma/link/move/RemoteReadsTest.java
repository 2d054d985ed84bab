package io.boltshuffle.rdma.link.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the peer reads by itself, its answers are all that shows that it lives. */
class RemoteReadsTest {
    private static final long LIMIT = 1_000;

    private final List<LinkMessage> said = new ArrayList<>();
    private final StallWatch watch = new StallWatch(LIMIT);
    private final ServedRanges ranges = new ServedRanges(new LinkRecorder());
    private final RemoteReads reads = new RemoteReads(ranges, said::add, watch::progress);

    @Test
    void aPeerThatAnswersEachWithdrawalIsAliveHoweverManyOverlap() {
        withdraw(0);
        for (int token = 1; token < 10; token++) {
            withdraw(token);
            reads.skipped(token - 1);
            assertThat(isStalledAt(token * LIMIT / 2)).isFalse();
        }
        assertThat(said).hasSize(10);
        assertThat(reads.isBusy()).isTrue();
        assertThat(isStalledAt(9 * LIMIT / 2 + LIMIT))
                .as("the last one has no answer")
                .isTrue();
    }

    @Test
    void anAnswerThatNobodyAskedForIsNoProgress() {
        withdraw(0);
        assertThat(isStalledAt(0)).isFalse();
        reads.skipped(7);

        assertThat(isStalledAt(LIMIT)).isTrue();
    }

    private boolean isStalledAt(long nanos) {
        watch.observe(reads.isBusy(), nanos);
        return watch.isStalled(nanos);
    }

    private void withdraw(long token) {
        ServedRange served =
                new ServedRange(token, new MessageCut(1, Lease.FRAME_BYTES), RangePart.all(new Nowhere()), () -> {});
        ranges.add(served);
        reads.withdraw(served);
    }

    /** Memory that nothing is done with but to hold it. */
    private static final class Nowhere implements RegisteredRange {
        @Override
        public long address() {
            return 0;
        }

        @Override
        public long bytes() {
            return 1;
        }

        @Override
        public int localKey(long offset) {
            return 0;
        }

        @Override
        public int remoteKey(long offset) {
            return 0;
        }

        @Override
        public long bytesToRegionEnd(long offset) {
            return 1;
        }

        @Override
        public ByteBuffer slice(long offset, int bytes) {
            return ByteBuffer.allocate(bytes);
        }

        @Override
        public void retain() {}

        @Override
        public void release() {}

        @Override
        public void quarantine(String reason) {}

        @Override
        public void endQuarantine() {}
    }
}
