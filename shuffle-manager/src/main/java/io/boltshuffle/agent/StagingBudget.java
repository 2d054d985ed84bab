package io.boltshuffle.agent;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * How much memory may be staged for peers at once, so that what peers pull can never take all the memory that this host's
 * own fetches need: two agents that wait for each other's memory would wait until their deadlines.
 *
 * <p>First come, first served. A request larger than the limit is admitted alone.
 *
 * <p><b>Threads:</b> waiting is the business of the agent's loop, and so is giving back, because it may end another's wait;
 * {@link #tryTake} may be called from any thread.
 */
final class StagingBudget {

    private final long limitBytes;
    private final Queue<Share> waiting = new ArrayDeque<>();
    private long usedBytes;

    /** A share, once it is granted; until then, the wait for it. */
    final class Share {
        private final long bytes;
        private final Runnable onGranted;
        private boolean granted;

        private Share(long bytes, Runnable onGranted) {
            this.bytes = bytes;
            this.onGranted = onGranted;
        }

        /** Gives the share back, or stops waiting for it. */
        void end() {
            giveBack(this);
            serve();
        }
    }

    StagingBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Asks for a share; {@code onGranted} is called now or later, unless the request is ended first. */
    Share request(long bytes, Runnable onGranted) {
        Share share = new Share(bytes, onGranted);
        enqueue(share);
        serve();
        return share;
    }

    /** A share, if one is to be had now without passing those who wait. */
    synchronized Optional<Share> tryTake(long bytes) {
        if (!waiting.isEmpty() || !fits(bytes)) {
            return Optional.empty();
        }
        Share share = new Share(bytes, () -> {});
        grant(share);
        return Optional.of(share);
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    private synchronized void enqueue(Share share) {
        waiting.add(share);
    }

    private synchronized void giveBack(Share share) {
        if (share.granted) {
            share.granted = false;
            usedBytes -= share.bytes;
        } else {
            waiting.remove(share);
        }
    }

    /** Grants what fits, one at a time: what is granted may be given back at once. */
    private void serve() {
        for (Share next = grantNext(); next != null; next = grantNext()) {
            next.onGranted.run();
        }
    }

    private synchronized @Nullable Share grantNext() {
        Share next = waiting.peek();
        if (next == null || !fits(next.bytes)) {
            return null;
        }
        waiting.remove();
        grant(next);
        return next;
    }

    private boolean fits(long bytes) {
        return usedBytes == 0 || bytes <= limitBytes - usedBytes;
    }

    private void grant(Share share) {
        share.granted = true;
        usedBytes += share.bytes;
    }
}
