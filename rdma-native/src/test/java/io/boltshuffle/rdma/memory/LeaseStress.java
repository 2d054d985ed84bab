package io.boltshuffle.rdma.memory;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/**
 * The one word that holds a lease's state and its posted work, as owner, poller and closer of a queue pair change it at
 * once.
 */
public final class LeaseStress {

    private LeaseStress() {}

    private static boolean isAllowed(Runnable action) {
        try {
            action.run();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /**
     * Shows a release and a last completion that miss each other, each leaving it to the other to return the memory, or
     * that both return it.
     */
    @JCStressTest
    @Outcome(id = "RETURNED", expect = Expect.ACCEPTABLE)
    @State
    public static class ReleaseMeetsLastCompletion {
        private final Lease lease = StressedPool.posted(1);

        @Actor
        public void owner() {
            lease.release();
        }

        @Actor
        public void poller() {
            lease.completed(1);
        }

        @Arbiter
        public void after(L_Result result) {
            result.r1 = lease.state();
        }
    }

    /** Shows completions of two queue pairs of which one is lost: the memory never comes back. */
    @JCStressTest
    @Outcome(id = "RETURNED", expect = Expect.ACCEPTABLE)
    @State
    public static class CompletionsMeet {
        private final Lease lease = StressedPool.posted(2);

        public CompletionsMeet() {
            lease.release();
        }

        @Actor
        public void poller() {
            lease.completed(1);
        }

        @Actor
        public void otherPoller() {
            lease.completed(1);
        }

        @Arbiter
        public void after(L_Result result) {
            result.r1 = lease.state();
        }
    }

    /** Shows memory that two owners believe they gave back, and so is given out twice. */
    @JCStressTest
    @Outcome(id = "true, false, RETURNED", expect = Expect.ACCEPTABLE)
    @Outcome(id = "false, true, RETURNED", expect = Expect.ACCEPTABLE)
    @State
    public static class ReleasesMeet {
        private final Lease lease = StressedPool.lease(StressedPool.newOwner());

        @Actor
        public void one(ZZL_Result result) {
            result.r1 = isAllowed(lease::release);
        }

        @Actor
        public void other(ZZL_Result result) {
            result.r2 = isAllowed(lease::release);
        }

        @Arbiter
        public void after(ZZL_Result result) {
            result.r3 = lease.state();
        }
    }

    /** Shows work that is posted to memory which is the pool's already. */
    @JCStressTest
    @Outcome(id = "true, DRAINING", expect = Expect.ACCEPTABLE, desc = "the work keeps the memory back")
    @Outcome(id = "false, RETURNED", expect = Expect.ACCEPTABLE, desc = "the post is refused")
    @State
    public static class PostMeetsRelease {
        private final Lease lease = StressedPool.lease(StressedPool.newOwner());

        @Actor
        public void poller(LL_Result result) {
            result.r1 = isAllowed(() -> lease.posted(1));
        }

        @Actor
        public void owner() {
            lease.release();
        }

        @Arbiter
        public void after(LL_Result result) {
            result.r2 = lease.state();
            if (lease.state() == LeaseState.DRAINING) {
                lease.completed(1);
            }
        }
    }

    /**
     * Shows memory that is given out again while a queue pair is in doubt, or that stays away after it is destroyed.
     */
    @JCStressTest
    @Outcome(id = "true, RETURNED", expect = Expect.ACCEPTABLE, desc = "in quarantine for a while")
    @Outcome(id = "false, RETURNED", expect = Expect.ACCEPTABLE, desc = "returned before there was a doubt")
    @State
    public static class QuarantineMeetsLastCompletion {
        private final Lease lease = StressedPool.posted(1);

        public QuarantineMeetsLastCompletion() {
            lease.release();
        }

        @Actor
        public void closer(LL_Result result) {
            boolean doubted = isAllowed(() -> lease.quarantine("a doubt"));
            if (doubted) {
                lease.releaseAfterQueuePairDestroyed(0);
            }
            result.r1 = doubted;
        }

        @Actor
        public void poller() {
            lease.completed(1);
        }

        @Arbiter
        public void after(LL_Result result) {
            result.r2 = lease.state();
        }
    }
}
