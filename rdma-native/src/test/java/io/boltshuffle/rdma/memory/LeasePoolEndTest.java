package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pool that lends less of its slab from some moment on. */
class LeasePoolEndTest {

    private static final int FRAME = Lease.FRAME_BYTES;
    private static final int FRAMES = 64;
    private static final LeaseOwner ALICE = new LeaseOwner("alice");

    private final Slab slab = TestSlabs.create(FRAMES * FRAME);
    private final VirtualClock clock = new VirtualClock();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final LeasePool pool =
            new LeasePool(slab, FRAMES * FRAME, new PoolLimits(FRAMES * FRAME, 4, 100), clock, callbacks::add);

    @AfterEach
    void close() throws SlabException {
        pool.close();
        slab.close();
    }

    @Test
    void whatIsLentBeyondTheEndStaysLentUntilItComesBack() {
        Lease low = pool.tryAcquire(ALICE, 40 * FRAME).orElseThrow();
        Lease high = pool.tryAcquire(ALICE, 20 * FRAME).orElseThrow();
        assertThat(pool.isUsedBeyondEnd()).isFalse();

        pool.endAt(48 * FRAME);

        assertThat(pool.endBytes()).isEqualTo(48 * FRAME);
        assertThat(pool.isUsedBeyondEnd()).isTrue();
        assertThat(pool.snapshot().totalBytes()).isEqualTo(60 * FRAME);
        assertThat(pool.snapshot().usedBytes()).isEqualTo(60 * FRAME);
        high.view(0, 20 * FRAME).putLong(1);
        assertThat(pool.tryAcquire(ALICE, 1)).isEmpty();
        high.posted(1);
        high.release();
        assertThat(pool.isUsedBeyondEnd()).as("posted work may touch it").isTrue();
        high.completed(1);

        assertThat(pool.isUsedBeyondEnd()).isFalse();
        assertThat(pool.snapshot().totalBytes()).isEqualTo(48 * FRAME);
        assertThat(pool.snapshot().usedBytes()).isEqualTo(40 * FRAME);
        Lease rest = pool.tryAcquire(ALICE, 8 * FRAME).orElseThrow();
        assertThat(rest.offset()).isEqualTo(40L * FRAME);
        rest.release();
        low.release();
    }

    @Test
    void whatDoesNotFitBeforeTheEndIsRefusedAtOnce() {
        pool.endAt(10 * FRAME);

        CompletableFuture<Lease> answer = pool.acquireAsync(ALICE, 10 * FRAME + 1, 1_000);

        assertThat(answer).isCompletedExceptionally();
        assertThat(pool.snapshot().refusals()).containsEntry(LeaseUnavailableException.Reason.TOO_LARGE, 1L);
    }
}
