package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shows what can happen to a lease at the same moment, on real threads. */
class LeaseRaceTest {

    private static final int ROUNDS = 5_000;
    private static final int FRAME = Lease.FRAME_BYTES;
    private static final LeaseOwner ALICE = new LeaseOwner("alice");
    private static final LeaseOwner BOB = new LeaseOwner("bob");

    private final Slab slab = TestSlabs.create(8 * FRAME);
    private final VirtualClock clock = new VirtualClock();
    private final LeasePool pool =
            new LeasePool(slab, 8 * FRAME, new PoolLimits(8 * FRAME, 100, 1_000), clock, Runnable::run);

    /** A lease, and how often what was tried on it was allowed. */
    private static final class Contested {
        final Lease lease;
        final AtomicInteger allowed = new AtomicInteger();

        Contested(Lease lease) {
            this.lease = lease;
        }

        void attempt(Runnable action) {
            try {
                action.run();
                allowed.incrementAndGet();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("its history");
            }
        }
    }

    @AfterEach
    void closeAll() throws SlabException {
        try {
            pool.close();
        } finally {
            slab.close();
        }
    }

    @Test
    void ofManyReleasesOneIsAllowed() throws Exception {
        new Race<>(round -> posted(0))
                .actor(state -> state.attempt(state.lease::release))
                .actor(state -> state.attempt(state.lease::release))
                .actor(state -> state.attempt(state.lease::release))
                .run(ROUNDS, state -> {
                    assertThat(state.allowed).hasValue(1);
                    assertHome(state.lease);
                });
    }

    @Test
    void aReleaseAndTheLastCompletionsReturnTheMemoryOnce() throws Exception {
        new Race<>(round -> posted(2))
                .actor(state -> state.lease.release())
                .actor(state -> state.lease.completed(1))
                .actor(state -> state.lease.completed(1))
                .run(ROUNDS, state -> assertHome(state.lease));
    }

    @Test
    void postingAndReleasingAreEitherInOrderOrRefused() throws Exception {
        new Race<>(round -> posted(0))
                .actor(state -> state.attempt(() -> state.lease.posted(1)))
                .actor(state -> state.lease.release())
                .run(ROUNDS, state -> {
                    assertThat(state.lease.state())
                            .isEqualTo(state.allowed.get() == 1 ? LeaseState.DRAINING : LeaseState.RETURNED);
                    if (state.allowed.get() == 1) {
                        state.lease.completed(1);
                    }
                    assertHome(state.lease);
                });
    }

    @Test
    void quarantineMeetsReleaseAndCompletion() throws Exception {
        Set<LeaseState> seen = EnumSet.noneOf(LeaseState.class);
        new Race<>(round -> posted(1))
                .actor(state -> state.attempt(() -> state.lease.quarantine("a doubt")))
                .actor(state -> state.attempt(state.lease::release))
                .actor(state -> state.lease.completed(1))
                .run(ROUNDS, state -> {
                    seen.add(state.lease.state());
                    if (state.lease.state() == LeaseState.QUARANTINED) {
                        assertThat(pool.snapshot().usedBytes()).isEqualTo(FRAME);
                        state.lease.releaseAfterQueuePairDestroyed(0);
                    }
                    assertHome(state.lease);
                });
        assertThat(seen).isSubsetOf(LeaseState.QUARANTINED, LeaseState.RETURNED);
    }

    @Test
    void theEndOfAQuarantineMeetsTheCompletionOfOtherWork() throws Exception {
        new Race<>(round -> {
                    Contested state = posted(3);
                    state.lease.quarantine("first");
                    state.lease.quarantine("second");
                    return state;
                })
                .actor(state -> state.lease.releaseAfterQueuePairDestroyed(1))
                .actor(state -> state.lease.releaseAfterQueuePairDestroyed(1))
                .actor(state -> state.lease.release())
                .actor(state -> state.lease.completed(1))
                .run(ROUNDS, state -> assertHome(state.lease));
    }

    /** A request whose memory comes free just when it is cancelled and when its time is up. */
    private record Wait(Lease blocking, CompletableFuture<Lease> answer, long deadlineNanos) {}

    @Test
    void aGrantACancellationAndADeadlineLeaveNoLeaseBehind() throws Exception {
        Set<String> seen = new TreeSet<>();
        new Race<>(round -> {
                    Lease all = pool.tryAcquire(ALICE, 8 * FRAME).orElseThrow();
                    return new Wait(all, pool.acquireAsync(BOB, FRAME, round + 1L), round + 1L);
                })
                .actor(state -> state.blocking().release())
                .actor(state -> state.answer().cancel(false))
                .actor(state -> clock.advanceTo(state.deadlineNanos()))
                .run(ROUNDS, state -> {
                    if (state.answer().isCompletedExceptionally()) {
                        seen.add(state.answer().isCancelled() ? "cancelled" : "timed out");
                    } else {
                        seen.add("granted");
                        state.answer().join().release();
                    }
                    assertThat(pool.snapshot().usedBytes()).isZero();
                    assertThat(pool.snapshot().waiting()).isZero();
                    assertThat(clock.scheduled()).isZero();
                });
        assertThat(seen).isNotEmpty();
    }

    private Contested posted(int workRequests) {
        Lease lease = pool.tryAcquire(ALICE, FRAME).orElseThrow();
        if (workRequests > 0) {
            lease.posted(workRequests);
        }
        return new Contested(lease);
    }

    private void assertHome(Lease lease) {
        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
        assertThat(lease).asString().contains(" 0 posted");
        pool.ledger().assertEmpty();
        assertThat(pool.snapshot().largestFreeBytes()).isEqualTo(slab.bytes());
    }
}
