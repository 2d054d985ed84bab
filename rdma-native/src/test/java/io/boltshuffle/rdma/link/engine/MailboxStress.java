package io.boltshuffle.rdma.link.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of threads that ask something of a poller. */
public final class MailboxStress {

    private MailboxStress() {}

    /**
     * Shows a command that the mailbox accepted as the link ended, but never handed out. Its transfer would get no
     * answer.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "accepted and taken")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "refused")
    @State
    public static class PostMeetsClose {
        private final Mailbox<String> mailbox = new Mailbox<>(() -> {});

        @Actor
        public void anyThread(ZZ_Result result) {
            result.r1 = mailbox.post("fetch");
        }

        @Actor
        public void poller(ZZ_Result result) {
            mailbox.close();
            result.r2 = mailbox.take() != null;
        }
    }

    /** Shows a poller that goes to sleep beside a command, with no thread left to wake it. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE)
    @State
    public static class PostMeetsSleep {
        private final AtomicBoolean permit = new AtomicBoolean(); // as a thread's own, for park and unpark
        private final Mailbox<String> mailbox = new Mailbox<>(() -> permit.set(true));

        public PostMeetsSleep() {
            mailbox.post("earlier");
            permit.set(false);
        }

        @Actor
        public void anyThread() {
            mailbox.post("fetch");
        }

        @Actor
        public void poller() {
            while (mailbox.take() != null) {
                Thread.onSpinWait();
            }
        }

        @Arbiter
        public void after(Z_Result result) {
            result.r1 = mailbox.size() == 0 || permit.get();
        }
    }
}
