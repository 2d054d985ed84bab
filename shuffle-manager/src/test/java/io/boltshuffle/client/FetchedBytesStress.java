package io.boltshuffle.client;

import java.nio.ByteBuffer;
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
public final class FetchedBytesStress {

    private FetchedBytesStress() {}

    /** Shows a block that a task and its end both release, so that a lease with other blocks in it goes back too early. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @State
    public static class ReleasesMeet {
        private final AtomicInteger releases = new AtomicInteger();
        private final FetchedBytes bytes =
                new FetchedBytes(ByteBuffer.allocate(1), /* wantedBack= */ false, releases::incrementAndGet, () -> {});

        @Actor
        public void task() {
            bytes.release();
        }

        @Actor
        public void endOfTask() {
            bytes.release();
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = releases.get();
        }
    }

    /**
     * Shows a lease that two tasks give back twice or not at all, and one that goes back before a task has read its block: the
     * memory may be written again then.
     */
    @JCStressTest
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE)
    @State
    public static class TasksOfOneLeaseMeet {
        private final int[] read = new int[2];
        private int goneBack;
        private int readBefore;
        private final LastOf last = new LastOf(2, () -> {
            goneBack++;
            readBefore = read[0] + read[1];
        });

        @Actor
        public void task() {
            read[0] = 1;
            last.run();
        }

        @Actor
        public void otherTask() {
            read[1] = 1;
            last.run();
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = goneBack;
            result.r2 = readBefore;
        }
    }
}
