package io.boltshuffle.agent.peer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds how many proofs an agent makes a second for ends that proved nothing yet. To hear the first proof of a
 * connection takes an HMAC for each application that is served here: a stranger could have any number of them made by
 * connections that cost him nothing. A connection beyond the budget is refused, and its end may call again. Hosts that
 * executors here ask for have a budget besides that of strangers.
 *
 * <p><b>Invariant:</b> within any time, no more are made than of one second and of that time together, and no more than
 * one connection takes.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class ProofBudget {

    /** Takes a tenth of the loop at most: one is made in some five microseconds. */
    static final long A_SECOND = 20_000;

    private static final long NANOS_EACH = TimeUnit.SECONDS.toNanos(1) / A_SECOND;

    private final LongSupplier nanoTime;
    /** The time at which all that was made would have been made at the allowed pace. */
    private long paidUntilNanos;

    ProofBudget(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.paidUntilNanos = nanoTime.getAsLong() - TimeUnit.SECONDS.toNanos(1);
    }

    /** Returns whether so many may be made now, which then are counted. */
    boolean take(int proofs) {
        long now = nanoTime.getAsLong();
        long begin = Math.max(paidUntilNanos - now, -TimeUnit.SECONDS.toNanos(1));
        if (begin > 0) {
            return false;
        }
        paidUntilNanos = now + begin + proofs * NANOS_EACH;
        return true;
    }
}
