package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.boltshuffle.rdma.memory.LeaseUnavailableException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeasePoolTest {

    private static final int FRAME = Lease.FRAME_BYTES;
    private static final int FRAMES = 64;
    private static final long DEADLINE = 1_000;
    private static final LeaseOwner ALICE = new LeaseOwner("alice");
    private static final LeaseOwner BOB = new LeaseOwner("bob");
    private static final LeaseOwner CAROL = new LeaseOwner("carol");

    private final Slab slab = TestSlabs.create(FRAMES * FRAME);
    private final VirtualClock clock = new VirtualClock();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final LeasePool pool =
            new LeasePool(slab, 16 * FRAME, new PoolLimits(32 * FRAME, 4, 100), clock, callbacks::add);

    @AfterEach
    void nothingIsLeft() throws SlabException {
        runCallbacks();
        pool.close();
        assertThat(clock.scheduled()).isZero();
        assertThat(pool.snapshot().largestFreeBytes()).isEqualTo(slab.bytes());
        slab.close();
    }

    @Test
    void aLeaseIsWholeFramesWithinOnePiece() {
        Lease first = now(ALICE, 10 * FRAME + 1);
        Lease second = now(ALICE, 6 * FRAME);
        assertThat(first.frames()).isEqualTo(11);
        assertThat(first.offset()).isZero();
        assertThat(second.offset()).isEqualTo(16L * FRAME);
        assertThat(second.address()).isEqualTo(slab.address() + 16 * FRAME);
        first.release();
        second.release();
    }

    @Test
    void whatIsWrittenThroughALeaseIsInTheSlab() {
        Lease lease = now(ALICE, FRAME);
        lease.view(8, 8).putLong(7);
        assertThat(slab.view(lease.offset() + 8, 8).getLong()).isEqualTo(7);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> lease.view(FRAME, 1));
        lease.release();
        assertThatIllegalStateException().isThrownBy(() -> lease.view(0, 1));
    }

    @Test
    void whoeverCouldDoWithoutALeaseIsToldWhenARequestFindsTooLittle() {
        List<String> told = new ArrayList<>();
        pool.whenShort(() -> told.add("short"));
        Lease all = now(ALICE, 16 * FRAME);
        runCallbacks();
        assertThat(told).isEmpty();
        assertThat(pool.isShort()).isFalse();

        assertThat(pool.tryAcquire(BOB, FRAMES * FRAME)).isEmpty();
        runCallbacks();
        assertThat(told).hasSize(1);
        assertThat(pool.isShort()).isFalse();

        CompletableFuture<Lease> wait = pool.acquireAsync(ALICE, 32 * FRAME, DEADLINE);
        runCallbacks();
        assertThat(told).hasSize(2);
        assertThat(pool.isShort()).isTrue();
        all.release();
        runCallbacks();
        wait.join().release();
    }

    @Test
    void aLeaseIsReleasedOnceOnly() {
        Lease lease = now(ALICE, 1);
        lease.release();
        assertThatIllegalStateException()
                .isThrownBy(lease::release)
                .withMessageContaining("alice")
                .withMessageContaining("RETURNED");
    }

    @Test
    void postedWorkHoldsTheMemoryOfAReleasedLease() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(2);
        lease.completed(1);
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.DRAINING);
        assertThat(pool.snapshot().draining()).isEqualTo(new PoolSnapshot.Use(1, FRAME));
        assertThatIllegalStateException().isThrownBy(() -> lease.posted(1));
        lease.completed(1);
        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
        assertThat(pool.snapshot().usedBytes()).isZero();
    }

    @Test
    void moreCompletionsThanPostsAreABug() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(1);
        assertThatIllegalStateException().isThrownBy(() -> lease.completed(2));
        lease.completed(1);
        assertThatIllegalStateException().isThrownBy(() -> lease.completed(1));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.completed(0));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.posted(-1));
        lease.release();
    }

    @Test
    void quarantinedMemoryReturnsOnlyWhenItsQueuePairIsDestroyed() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(3);
        lease.quarantine("cable pulled");
        lease.completed(2);
        assertThat(pool.snapshot().quarantined()).isEqualTo(new PoolSnapshot.Use(1, FRAME));
        assertThat(pool.snapshot().owners()).isEmpty();
        assertThat(pool.ledger().outstanding())
                .singleElement()
                .satisfies(status -> assertThat(status.quarantineReason()).isEqualTo("cable pulled"));
        lease.release();
        assertThatIllegalStateException().isThrownBy(lease::release);
        assertThatIllegalStateException().isThrownBy(() -> lease.releaseAfterQueuePairDestroyed(2));

        lease.releaseAfterQueuePairDestroyed(1);

        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
        assertThatIllegalStateException().isThrownBy(() -> lease.quarantine("late"));
    }

    @Test
    void anOwnerThatHasNotReleasedHasItsLeaseBackWhenTheQuarantineEnds() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(2);
        lease.quarantine("cable pulled");
        lease.releaseAfterQueuePairDestroyed(1);

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(pool.snapshot().owners()).isEqualTo(Map.of(ALICE, new PoolSnapshot.Use(1, FRAME)));

        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.DRAINING);
        lease.completed(1);
        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
    }

    @Test
    void aLeaseOfTwoQueuePairsWaitsForBoth() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(5);
        lease.release();
        lease.quarantine("first cable");
        lease.quarantine("second cable");
        lease.releaseAfterQueuePairDestroyed(3);
        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        lease.releaseAfterQueuePairDestroyed(2);
        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
    }

    @Test
    void afterQuarantineWorkOnAnotherQueuePairStillHoldsTheMemory() {
        Lease lease = now(ALICE, FRAME);
        lease.posted(5);
        lease.quarantine("one of two cables");
        lease.release();
        lease.releaseAfterQueuePairDestroyed(3);
        assertThat(lease.state()).isEqualTo(LeaseState.DRAINING);
        assertThat(pool.snapshot().owners()).containsKey(ALICE);
        lease.completed(2);
        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
    }

    @Test
    void noOwnerHasMoreThanItsLimit() {
        Lease most = now(ALICE, 30 * FRAME);
        assertThat(pool.tryAcquire(ALICE, 3 * FRAME)).isEmpty();
        Lease rest = now(ALICE, 2 * FRAME);
        Lease other = now(BOB, 16 * FRAME);
        for (Lease lease : new Lease[] {most, rest, other}) {
            lease.release();
        }
    }

    @Test
    void oneRequestAboveTheLimitIsAdmittedAtATimeAndToAnIdleOwnerOnly() {
        Lease small = now(ALICE, 1);
        assertThat(pool.tryAcquire(ALICE, 33 * FRAME)).isEmpty();
        small.release();
        Lease oversize = now(ALICE, 33 * FRAME);
        assertThat(pool.tryAcquire(BOB, 33 * FRAME)).isEmpty();
        assertThat(pool.tryAcquire(ALICE, 1)).isEmpty();
        Lease normal = now(BOB, FRAME);
        normal.release();
        oversize.release();
        now(BOB, FRAMES * FRAME).release();
    }

    @Test
    void aLargeRequestIsNotPassedBySmallOnes() {
        Lease first = now(ALICE, 32 * FRAME);
        CompletableFuture<Lease> second = pool.acquireAsync(BOB, 31 * FRAME, DEADLINE);
        CompletableFuture<Lease> large = pool.acquireAsync(CAROL, 32 * FRAME, DEADLINE);
        assertThat(second).isCompleted();
        assertThat(large).isNotDone();
        assertThat(pool.tryAcquire(ALICE, 1)).isEmpty();
        CompletableFuture<Lease> small = pool.acquireAsync(BOB, FRAME, DEADLINE);
        assertThat(small).isNotDone();

        first.release();
        runCallbacks();

        assertThat(large).isCompleted();
        assertThat(small).isCompleted();
        second.join().release();
        large.join().release();
        small.join().release();
    }

    @Test
    void aRequestAtItsOwnersLimitHoldsUpNobodyElse() {
        Lease most = now(ALICE, 32 * FRAME);
        CompletableFuture<Lease> more = pool.acquireAsync(ALICE, 16 * FRAME, DEADLINE);
        CompletableFuture<Lease> less = pool.acquireAsync(ALICE, 1, DEADLINE);
        now(BOB, FRAME).release();
        assertThat(less).isNotDone();
        most.release();
        runCallbacks();
        more.join().release();
        less.join().release();
    }

    @Test
    void aWaitEndsAtItsDeadlineAndMakesWayForOthers() {
        Lease all = now(ALICE, 32 * FRAME);
        Lease most = now(BOB, 16 * FRAME);
        CompletableFuture<Lease> large = pool.acquireAsync(CAROL, 32 * FRAME, DEADLINE);
        CompletableFuture<Lease> small = pool.acquireAsync(CAROL, FRAME, 2 * DEADLINE);
        assertThat(pool.snapshot().waiting()).isEqualTo(2);
        assertThat(pool.snapshot().waitingBytes()).isEqualTo(33 * FRAME);
        clock.advanceTo(DEADLINE - 1);
        runCallbacks();
        assertThat(large).isNotDone();
        clock.advanceTo(DEADLINE);
        runCallbacks();
        assertRefused(large, Reason.TIMED_OUT);
        small.join().release();
        all.release();
        most.release();
        assertThat(pool.snapshot().refusals()).isEqualTo(Map.of(Reason.TIMED_OUT, 1L));
    }

    @Test
    void aCancelledWaitMakesWayForOthers() {
        Lease lease = now(ALICE, 32 * FRAME);
        Lease other = now(BOB, 16 * FRAME);
        CompletableFuture<Lease> large = pool.acquireAsync(CAROL, 32 * FRAME, DEADLINE);
        CompletableFuture<Lease> small = pool.acquireAsync(CAROL, FRAME, DEADLINE);
        large.cancel(false);
        runCallbacks();
        small.join().release();
        lease.release();
        other.release();
    }

    @Test
    void aLeaseGrantedToAWaitThatWasCancelledMeanwhileGoesBack() {
        Lease lease = now(ALICE, FRAMES * FRAME);
        CompletableFuture<Lease> answer = pool.acquireAsync(BOB, FRAME, DEADLINE);
        lease.release();
        assertThat(pool.snapshot().usedBytes()).isEqualTo(FRAME);
        answer.cancel(false);
        runCallbacks();
        assertThat(pool.snapshot().usedBytes()).isZero();
    }

    @Test
    void aWaitThatCannotBeTimedIsNoWait() {
        Lease all = now(ALICE, FRAMES * FRAME);
        clock.stop();
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> pool.acquireAsync(BOB, 1, DEADLINE));
        assertThat(pool.snapshot().waiting()).isZero();
        all.release();
    }

    @Test
    void whatCannotBeGrantedIsRefusedAtOnce() {
        assertRefused(pool.acquireAsync(ALICE, FRAMES * FRAME + 1, DEADLINE), Reason.TOO_LARGE);
        assertThat(pool.tryAcquire(ALICE, Long.MAX_VALUE)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> pool.tryAcquire(ALICE, 0));

        Lease all = now(ALICE, FRAMES * FRAME);
        for (int i = 0; i < 4; i++) {
            assertThat(pool.acquireAsync(BOB, 1, DEADLINE)).isNotDone();
        }
        assertRefused(pool.acquireAsync(CAROL, 1, DEADLINE), Reason.TOO_MANY_WAITERS);
        clock.advanceTo(DEADLINE);
        all.release();
    }

    @Test
    void closingDismissesThoseWhoWaitAndListsWhatIsOutstanding() {
        Lease all = now(ALICE, FRAMES * FRAME);
        CompletableFuture<Lease> waiting = pool.acquireAsync(BOB, 1, DEADLINE);
        assertThatExceptionOfType(LeaseLeakException.class)
                .isThrownBy(pool::close)
                .withMessageContainingAll("1 leases are outstanding", "alice");
        runCallbacks();
        assertRefused(waiting, Reason.CLOSED);
        assertRefused(pool.acquireAsync(BOB, 1, DEADLINE), Reason.CLOSED);
        assertThatIllegalStateException().isThrownBy(slab::close);
        all.release();
    }

    @Test
    void aSlabHasOnePool() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new LeasePool(slab, FRAME, new PoolLimits(1, 1, 1), clock, Runnable::run));
    }

    @Test
    void theLedgerTellsTheStoryOfALeaseAndForgetsTheOldest() {
        clock.advanceTo(5);
        Lease lease = now(ALICE, FRAME);
        lease.posted(1);
        lease.release();
        lease.quarantine("silence");
        lease.releaseAfterQueuePairDestroyed(1);
        assertThat(pool.ledger().historyOf(lease.id()))
                .extracting(LeaseEvent::kind)
                .containsExactly(
                        LeaseEvent.Kind.GRANTED,
                        LeaseEvent.Kind.RELEASED_WITH_WORK_POSTED,
                        LeaseEvent.Kind.QUARANTINED,
                        LeaseEvent.Kind.QUEUE_PAIR_DESTROYED,
                        LeaseEvent.Kind.RETURNED);
        assertThat(pool.ledger().historyOf(lease.id()).get(0))
                .isEqualTo(new LeaseEvent(
                        5,
                        lease.id(),
                        LeaseEvent.Kind.GRANTED,
                        ALICE,
                        Thread.currentThread().getName(),
                        "4096 bytes"));
        List<Long> later = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Lease one = now(ALICE, 1);
            one.release();
            later.add(one.id());
        }
        // Each left two events, and the ledger keeps a hundred.
        assertThat(pool.ledger().historyOf(lease.id())).isEmpty();
        assertThat(pool.ledger().historyOf(later.get(9))).isEmpty();
        assertThat(pool.ledger().historyOf(later.get(10))).hasSize(2);
    }

    private Lease now(LeaseOwner owner, long bytes) {
        return pool.tryAcquire(owner, bytes).orElseThrow();
    }

    private void runCallbacks() {
        for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
            task.run();
        }
    }

    private static void assertRefused(CompletableFuture<Lease> answer, Reason reason) {
        assertThat(answer).isCompletedExceptionally();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(answer::join)
                .havingCause()
                .isInstanceOf(LeaseUnavailableException.class)
                .withMessageContaining(": " + reason + " (");
    }
}
