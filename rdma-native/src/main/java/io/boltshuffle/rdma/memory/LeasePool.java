package io.boltshuffle.rdma.memory;

import io.boltshuffle.rdma.memory.LeaseUnavailableException.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lends leases over a slab.
 *
 * <p><b>Invariants:</b> no two leases share a frame. A lease lies within one registration piece, or starts at one if it
 * is larger. The ledger has every outstanding lease. Every wait has a deadline. No request waits for memory that could
 * be granted.
 *
 * <p><b>Threads:</b> any. Answers to waiting requests are completed on the executor that the pool was given, never
 * under its lock.
 *
 * <p><b>Ownership:</b> holds the slab until {@link #close()}, which throws while leases are outstanding.
 */
public final class LeasePool implements AutoCloseable {

    private static final String HOLDER = "lease pool";

    private final Slab slab;
    private final PoolLimits limits;
    private final PoolClock clock;
    private final Executor callbacks;
    private final LeaseLedger ledger;
    private volatile @Nullable Runnable whenShort;

    // The lock guards all fields below.
    private final ReentrantLock lock = new ReentrantLock();
    private final FrameAllocator free;
    private final OwnerAccounts accounts;
    private final WaitQueue waiting = new WaitQueue();
    private final Map<Reason, Long> refusals = new EnumMap<>(Reason.class);
    private long granted;
    private boolean closed;
    private boolean holdsSlab = true;

    /**
     * @param pieceBytes smallest piece size of the slab's registrations, see {@link SlabRegistration#pieceBytes()}; a
     * power of two
     * @param callbacks completes the answers of {@link #acquireAsync} that had to wait. An executor that runs tasks on
     * the calling thread nests their effects, such as a release of the lease, inside the release that served them.
     * @throws IllegalStateException if another pool has the slab
     */
    public LeasePool(Slab slab, long pieceBytes, PoolLimits limits, PoolClock clock, Executor callbacks) {
        this.slab = slab;
        this.limits = limits;
        this.clock = clock;
        this.callbacks = callbacks;
        this.ledger = new LeaseLedger(limits.historyEvents());
        this.free = new FrameAllocator(Lease.framesOf(slab.bytes()), Lease.framesOf(pieceBytes));
        this.accounts = new OwnerAccounts(limits.ownerBytes() / Lease.FRAME_BYTES);
        slab.holdAlone(HOLDER);
    }

    public Slab slab() {
        return slab;
    }

    /** Returns the time by the pool's clock. */
    public long nanoTime() {
        return clock.nanoTime();
    }

    public LeaseLedger ledger() {
        return ledger;
    }

    /**
     * Asks for leases back that their owners could do without.
     *
     * @param giveUp run by the executor of the answers, whenever a request finds too little memory or has to wait
     */
    public void whenShort(Runnable giveUp) {
        whenShort = giveUp;
    }

    private void tellShort() {
        Runnable giveUp = whenShort;
        if (giveUp != null) {
            callBack(giveUp);
        }
    }

    /** Returns whether any request waits. */
    public boolean isShort() {
        lock.lock();
        try {
            return waiting.size() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a lease if one can be had now without passing waiting requests. */
    public Optional<Lease> tryAcquire(LeaseOwner owner, long bytes) {
        LeaseWaiter waiter = new LeaseWaiter(owner, bytes);
        Optional<Lease> lease;
        lock.lock();
        try {
            if (impossibility(waiter) != null) {
                return Optional.empty();
            }
            lease = grantNow(waiter);
            waiting.remove(waiter);
        } finally {
            lock.unlock();
        }
        if (lease.isEmpty()) {
            tellShort();
        }
        return lease;
    }

    /**
     * @param bytes at least 1
     * @param deadlineNanos by the pool's clock; one that has passed still allows an immediate grant
     * @return the answer: the lease, or {@link LeaseUnavailableException}. Cancelling it withdraws the request; a lease
     * that was on its way then goes back by itself.
     * @throws RejectedExecutionException if the clock takes no more timeouts; the request does not wait then
     */
    public CompletableFuture<Lease> acquireAsync(LeaseOwner owner, long bytes, long deadlineNanos) {
        LeaseWaiter waiter = new LeaseWaiter(owner, bytes);
        CompletableFuture<Lease> answer = waiter.answer();
        lock.lock();
        try {
            Reason refusal = impossibility(waiter);
            if (refusal == null) {
                Optional<Lease> lease = grantNow(waiter);
                if (lease.isPresent()) {
                    answer.complete(lease.get());
                } else if (waiting.size() > limits.maxWaiters()) {
                    waiting.remove(waiter);
                    refusal = Reason.TOO_MANY_WAITERS;
                }
            }
            if (refusal != null) {
                answer.completeExceptionally(refusal(waiter, refusal));
            }
        } finally {
            lock.unlock();
        }
        if (!answer.isDone()) {
            watch(waiter, deadlineNanos);
            tellShort();
        }
        return answer;
    }

    public PoolSnapshot snapshot() {
        lock.lock();
        try {
            List<LeaseStatus> outstanding = ledger.outstanding();
            return new PoolSnapshot(
                    slab.bytes(),
                    slab.bytes() - (long) free.freeFrames() * Lease.FRAME_BYTES,
                    (long) free.largestFreeFrames() * Lease.FRAME_BYTES,
                    waiting.size(),
                    waiting.bytes(),
                    PoolSnapshot.Use.of(outstanding, LeaseState.DRAINING),
                    PoolSnapshot.Use.of(outstanding, LeaseState.QUARANTINED),
                    slab.leakedRegions(),
                    granted,
                    refusals,
                    accounts.snapshot());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Grants no more leases, refuses the waiting requests, and lets the slab go. It may be repeated after it threw.
     *
     * @throws LeaseLeakException while leases are outstanding; they still can, and should, come back
     */
    @Override
    public void close() {
        List<LeaseWaiter> dismissed;
        lock.lock();
        try {
            closed = true;
            dismissed = waiting.removeAll();
        } finally {
            lock.unlock();
        }
        for (LeaseWaiter waiter : dismissed) {
            answerWith(waiter, Reason.CLOSED);
        }
        ledger.assertEmpty();
        lock.lock();
        try {
            if (holdsSlab) {
                holdsSlab = false;
                slab.letGo(HOLDER);
            }
        } finally {
            lock.unlock();
        }
    }

    void release(Lease lease) {
        change(() -> {
            switch (lease.markReleased()) {
                case RETURNED -> reclaim(lease);
                case QUARANTINED -> record(lease, LeaseEvent.Kind.RELEASED_WITH_WORK_POSTED, "in quarantine");
                default -> record(lease, LeaseEvent.Kind.RELEASED_WITH_WORK_POSTED, "");
            }
        });
    }

    /** Takes a lease back whose last completion came after its release. */
    void takeBack(Lease lease) {
        change(() -> reclaim(lease));
    }

    void quarantine(Lease lease, String reason) {
        change(() -> {
            if (lease.markQuarantined(reason)) {
                // This memory will not come back soon, so it must not block its owner's further requests.
                accounts.discharge(lease.owner(), lease.frames());
            }
            record(lease, LeaseEvent.Kind.QUARANTINED, reason);
        });
    }

    void endQuarantine(Lease lease, int workRequests) {
        change(() -> {
            LeaseState next = lease.markQueuePairDestroyed(workRequests);
            record(lease, LeaseEvent.Kind.QUEUE_PAIR_DESTROYED, workRequests + " work requests were its");
            if (next != LeaseState.QUARANTINED) {
                accounts.charge(lease.owner(), lease.frames());
            }
            if (next == LeaseState.RETURNED) {
                reclaim(lease);
            }
        });
    }

    /** Applies a change that may free memory or limits, then serves the waiting requests. */
    private void change(Runnable change) {
        List<Grant> grants = new ArrayList<>();
        lock.lock();
        try {
            change.run();
            waiting.serve(this::isAdmitted, waiter -> grant(waiter, grants));
        } finally {
            lock.unlock();
        }
        for (Grant grant : grants) {
            callBack(() -> deliver(grant));
        }
    }

    /**
     * Queues the request, under the lock, and grants it if possible. It cannot make another one grantable, because all
     * grantable requests were served before.
     */
    private Optional<Lease> grantNow(LeaseWaiter waiter) {
        List<Grant> grants = new ArrayList<>(1);
        waiting.add(waiter);
        waiting.serve(this::isAdmitted, candidate -> grant(candidate, grants));
        return grants.stream().map(Grant::lease).findFirst();
    }

    private boolean isAdmitted(LeaseWaiter waiter) {
        return accounts.admits(waiter.owner(), waiter.frames());
    }

    private boolean grant(LeaseWaiter waiter, List<Grant> grants) {
        int first = free.allocate(waiter.frames());
        if (first == FrameAllocator.NONE) {
            return false;
        }
        granted++;
        long now = clock.nanoTime();
        Lease lease = new Lease(this, granted, first, waiter.bytes(), waiter.owner(), now);
        accounts.charge(waiter.owner(), waiter.frames());
        record(lease, LeaseEvent.Kind.GRANTED, waiter.bytes() + " bytes");
        grants.add(new Grant(waiter, lease));
        return true;
    }

    private record Grant(LeaseWaiter waiter, Lease lease) {}

    private void reclaim(Lease lease) {
        free.free(lease.firstFrame(), lease.frames());
        accounts.discharge(lease.owner(), lease.frames());
        record(lease, LeaseEvent.Kind.RETURNED, "");
    }

    private void record(Lease lease, LeaseEvent.Kind kind, String detail) {
        ledger.record(clock.nanoTime(), lease, kind, detail);
    }

    private @Nullable Reason impossibility(LeaseWaiter waiter) {
        if (closed) {
            return Reason.CLOSED;
        }
        return waiter.bytes() > slab.bytes() ? Reason.TOO_LARGE : null;
    }

    private void watch(LeaseWaiter waiter, long deadlineNanos) {
        CompletableFuture<Lease> answer = waiter.answer();
        CompletableFuture<Lease> unused = answer.whenComplete((lease, failure) -> {
            if (failure != null) {
                change(() -> waiting.remove(waiter));
            }
        });
        PoolClock.Timeout timeout;
        try {
            timeout = clock.schedule(deadlineNanos, () -> expire(waiter));
        } catch (RejectedExecutionException e) {
            abandon(answer);
            throw e;
        }
        unused = answer.whenComplete((lease, failure) -> timeout.cancel());
    }

    /** Cancels the request. If the lease was granted meanwhile, it goes back to the pool. */
    private static void abandon(CompletableFuture<Lease> answer) {
        if (!answer.cancel(false) && !answer.isCompletedExceptionally()) {
            answer.join().release();
        }
    }

    private void expire(LeaseWaiter waiter) {
        boolean[] waited = new boolean[1];
        change(() -> waited[0] = waiting.remove(waiter));
        if (waited[0]) {
            answerWith(waiter, Reason.TIMED_OUT);
        }
    }

    private void answerWith(LeaseWaiter waiter, Reason reason) {
        LeaseUnavailableException refusal;
        lock.lock();
        try {
            refusal = refusal(waiter, reason);
        } finally {
            lock.unlock();
        }
        callBack(() -> waiter.answer().completeExceptionally(refusal));
    }

    private LeaseUnavailableException refusal(LeaseWaiter waiter, Reason reason) {
        refusals.merge(reason, 1L, Long::sum);
        return new LeaseUnavailableException(
                "no lease of " + waiter.bytes() + " bytes for " + waiter.owner() + ": " + reason + " ("
                        + (long) free.freeFrames() * Lease.FRAME_BYTES + " of " + slab.bytes() + " bytes are free, "
                        + waiting.size() + " requests wait)");
    }

    private static void deliver(Grant grant) {
        if (!grant.waiter().answer().complete(grant.lease())) {
            grant.lease().release();
        }
    }

    /**
     * Completes an answer. An executor that was shut down must not cost a lease or leave a request without an answer.
     */
    private void callBack(Runnable task) {
        try {
            callbacks.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }
}
