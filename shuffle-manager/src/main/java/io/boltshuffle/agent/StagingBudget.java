package io.boltshuffle.agent;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * How much memory may be staged for peers at once, so that what peers pull can never take all the memory that this host's
 * own fetches need: two agents that wait for each other's memory would wait until their deadlines.
 *
 * <p>First come, first served. A request larger than the limit is admitted alone.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class StagingBudget {

    private final long limitBytes;
    private final Queue<Waiter> waiting = new ArrayDeque<>();
    private long usedBytes;

    /** A request for a share, and the share once it is granted. */
    final class Waiter {
        private final long bytes;
        private final Runnable onGranted;
        private boolean granted;

        private Waiter(long bytes, Runnable onGranted) {
            this.bytes = bytes;
            this.onGranted = onGranted;
        }

        /** Gives the share back, or stops waiting for it. */
        void end() {
            if (granted) {
                granted = false;
                usedBytes -= bytes;
                serve();
            } else {
                waiting.remove(this);
            }
        }
    }

    StagingBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Asks for a share; {@code onGranted} is called now or later, unless the request is ended first. */
    Waiter request(long bytes, Runnable onGranted) {
        Waiter waiter = new Waiter(bytes, onGranted);
        waiting.add(waiter);
        serve();
        return waiter;
    }

    long usedBytes() {
        return usedBytes;
    }

    private void serve() {
        for (Waiter next = waiting.peek();
                next != null && (usedBytes == 0 || next.bytes <= limitBytes - usedBytes);
                next = waiting.peek()) {
            waiting.remove();
            next.granted = true;
            usedBytes += next.bytes;
            next.onGranted.run();
        }
    }
}
