package io.boltshuffle.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Ways back of the agent's memory. */
public final class SlabLeaseStress {

    private SlabLeaseStress() {}

    /** Shows a slice that a task and its end both release, so that it stands for another one that is still read. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE)
    @State
    public static class ReleasesOfOneSliceMeet {
        private final AtomicInteger goneBack = new AtomicInteger();
        private final SlabLease lease = new SlabLease(2, goneBack::incrementAndGet, new ClientCounters());

        @Actor
        public void task() {
            lease.release(0);
        }

        @Actor
        public void endOfTask() {
            lease.release(0);
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = goneBack.get();
            lease.release(1);
            result.r2 = goneBack.get();
        }
    }

    /** Shows a lease that goes back twice, or not at all, as its last slice is released by two. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @State
    public static class ReleasesOfTheLastSliceMeet {
        private final AtomicInteger goneBack = new AtomicInteger();
        private final SlabLease lease = new SlabLease(1, goneBack::incrementAndGet, new ClientCounters());

        @Actor
        public void task() {
            lease.release(0);
        }

        @Actor
        public void endOfTask() {
            lease.release(0);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = goneBack.get();
        }
    }

    /**
     * Shows a lease that goes back twice or not at all as a task releases its slice and the session those it cannot
     * deliver.
     */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @State
    public static class ATaskMeetsADeliveryThatBreaks {
        private final AtomicInteger goneBack = new AtomicInteger();
        private final SlabLease lease = new SlabLease(70, goneBack::incrementAndGet, new ClientCounters());

        @Actor
        public void task() {
            lease.release(0);
        }

        @Actor
        public void session() {
            lease.releaseFrom(1);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = goneBack.get();
        }
    }

    /**
     * Shows a lease that two tasks give back twice or not at all, and one that goes back before a task has read its
     * block: the memory may be written again then.
     */
    @JCStressTest
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE)
    @State
    public static class TasksOfOneLeaseMeet {
        private final int[] read = new int[2];
        private int goneBack;
        private int readBefore;
        private final SlabLease lease = new SlabLease(
                2,
                () -> {
                    goneBack++;
                    readBefore = read[0] + read[1];
                },
                new ClientCounters());

        @Actor
        public void task() {
            read[0] = 1;
            lease.release(0);
        }

        @Actor
        public void otherTask() {
            read[1] = 1;
            lease.release(1);
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = goneBack;
            result.r2 = readBefore;
        }
    }
}
