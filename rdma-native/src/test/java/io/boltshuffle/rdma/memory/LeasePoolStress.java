package io.boltshuffle.rdma.memory;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Races of the answers to requests that wait for memory. */
public final class LeasePoolStress {

    private LeasePoolStress() {}

    /** Shows a lease that is granted to an owner that has just gone, and so has none. */
    @JCStressTest
    @Outcome(id = "granted, free", expect = Expect.ACCEPTABLE)
    @Outcome(id = "cancelled, free", expect = Expect.ACCEPTABLE)
    @State
    public static class GrantMeetsCancellation {
        private final LeaseOwner owner = StressedPool.newOwner();
        private final Lease blocking = StressedPool.lease(owner);
        private final CompletableFuture<Lease> answer =
                StressedPool.pool().acquireAsync(owner, Lease.FRAME_BYTES, Long.MAX_VALUE);

        @Actor
        public void release() {
            blocking.release();
        }

        @Actor
        public void cancel() {
            answer.cancel(false);
        }

        @Arbiter
        public void after(LL_Result result) {
            result.r1 = answer.isCancelled() ? "cancelled" : "granted";
            if (!answer.isCancelled()) {
                answer.join().release();
            }
            // Only this state's actors act for the owner, which may have one frame.
            result.r2 = StressedPool.pool()
                    .tryAcquire(owner, Lease.FRAME_BYTES)
                    .map(lease -> {
                        lease.release();
                        return "free";
                    })
                    .orElse("lost");
        }
    }
}
