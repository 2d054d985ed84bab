package io.boltshuffle.agent.serve;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Memory to stage in, for those that wait for it: first for a share of the staging budget, then for a lease. Whoever
 * keeps memory that they could do without is asked for it meanwhile.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class StagingMemory {

    /** Hears of the memory, on the loop. */
    interface Waiter {
        /** Owns the memory from now on. */
        void onMemory(StagingArea area);

        /** There was none in time. */
        void onNoMemory(String detail);
    }

    /**
     * A request for memory.
     *
     * @param deadlineNanos until when, on the loop's clock
     */
    record Wanted(LeaseOwner owner, long bytes, long deadlineNanos) {}

    private final Loop loop;
    private final LeasePool pool;
    private final StagingBudget budget;

    StagingMemory(Loop loop, LeasePool pool, StagingBudget budget) {
        this.loop = loop;
        this.pool = pool;
        this.budget = budget;
    }

    /**
     * One wait.
     *
     * <p><b>Invariant:</b> it is answered once, never before {@code await} returns, and not at all once it was called
     * off. What comes too late goes back at once.
     *
     * <p><b>Ownership:</b> of the share until the area has it.
     */
    final class Wait {
        private final Wanted wanted;
        private final Waiter waiter;
        private StagingBudget.@Nullable Share share;
        private @Nullable CompletableFuture<Lease> lease;
        private boolean over;

        private Wait(Wanted wanted, Waiter waiter) {
            this.wanted = wanted;
            this.waiter = waiter;
        }

        private void acquire() {
            CompletableFuture<Lease> asked = pool.acquireAsync(wanted.owner(), wanted.bytes(), wanted.deadlineNanos());
            lease = asked;
            if (!asked.isDone()) {
                budget.saveAll();
            }
            loop.whenDone(asked, this::onAnswer);
        }

        private void onAnswer(@Nullable Lease granted, @Nullable Throwable failure) {
            if (over) {
                if (granted != null) {
                    granted.release();
                }
            } else if (granted == null) {
                callOff();
                waiter.onNoMemory(String.valueOf(failure));
            } else {
                over = true;
                waiter.onMemory(new StagingArea(granted, Objects.requireNonNull(share)));
            }
        }

        /** The waiter wants no memory any more. It has no effect after the answer. */
        void callOff() {
            if (over) {
                return;
            }
            over = true;
            if (lease != null) {
                lease.cancel(false);
            }
            if (share != null) {
                share.end();
            }
        }
    }

    /** @param isReadable whether the peer reads the memory itself */
    Wait await(Wanted wanted, boolean isReadable, Waiter waiter) {
        Wait wait = new Wait(wanted, waiter);
        wait.share = budget.request(wanted.bytes(), isReadable, wait::acquire);
        return wait;
    }

    /** @param share is there already, and goes with the memory */
    Wait await(Wanted wanted, StagingBudget.Share share, Waiter waiter) {
        Wait wait = new Wait(wanted, waiter);
        wait.share = share;
        wait.acquire();
        return wait;
    }
}
