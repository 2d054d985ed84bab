package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A native object whose release hung, as that release succeeds late and its owner tries once more. */
public final class HandleStress {

    private HandleStress() {}

    /** Shows a second attempt that forgets the success of the first: the object would be freed twice. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE)
    @State
    public static class LateSuccessMeetsAnotherAttempt {
        private final Handle handle = new Handle("an object", new Pointer(4096));

        public LateSuccessMeetsAnotherAttempt() {
            handle.beginRelease();
        }

        @Actor
        public void controlThread() {
            handle.released();
        }

        @Actor
        public void owner() {
            handle.beginRelease();
        }

        @Arbiter
        public void after(Z_Result result) {
            result.r1 = handle.isReleased();
        }
    }
}
