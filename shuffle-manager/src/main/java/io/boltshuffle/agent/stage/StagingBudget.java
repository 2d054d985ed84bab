package io.boltshuffle.agent.stage;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much memory may be staged for peers at once, so that what peers pull can never take all the memory that this
 * host's own fetches need: two agents that wait for each other's memory would wait until their deadlines.
 *
 * <p>First come, first served. A request larger than the limit is admitted alone. Memory that peers may read themselves
 * is limited by the number of areas, too, because each takes a memory region of the device.
 *
 * <p><b>Threads:</b> waiting is the business of the agent's loop, and so is giving back, because it may end another's
 * wait; {@link #tryTake} may be called from any thread.
 */
public final class StagingBudget {

    /** How many areas peers may read at once. */
    public static final int MAX_READABLE = 32;

    /** Has shares that it could do without. */
    public interface Saver {
        /** Ends them: somebody waits. On the loop. */
        void save();
    }

    private final long limitBytes;
    private final Queue<Share> waiting = new ArrayDeque<>();
    private final Set<Saver> savers = new LinkedHashSet<>();
    private long usedBytes;
    private int readable;

    /** A share, once it is granted; until then, the wait for it. */
    public final class Share {
        private final long bytes;
        private final boolean isReadable;
        private final Runnable onGranted;
        private boolean granted;

        private Share(long bytes, boolean isReadable, Runnable onGranted) {
            this.bytes = bytes;
            this.isReadable = isReadable;
            this.onGranted = onGranted;
        }

        /** Gives the share back, or stops waiting for it. */
        public void end() {
            giveBack(this);
            serve();
        }
    }

    public StagingBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Asks for a share; {@code onGranted} is called now or later, unless the request is ended first.
     *
     * @param isReadable whether the peer reads the memory itself
     */
    public Share request(long bytes, boolean isReadable, Runnable onGranted) {
        Share share = new Share(bytes, isReadable, onGranted);
        enqueue(share);
        serve();
        if (isShort()) {
            saveAll();
        }
        return share;
    }

    /** Asks for what others could do without. On the loop. */
    public void saveAll() {
        copyOfSavers().forEach(Saver::save);
    }

    public synchronized void add(Saver saver) {
        savers.add(saver);
    }

    public synchronized void remove(Saver saver) {
        savers.remove(saver);
    }

    private synchronized List<Saver> copyOfSavers() {
        return List.copyOf(savers);
    }

    /** Whether somebody waits. */
    public synchronized boolean isShort() {
        return !waiting.isEmpty();
    }

    /** A share, if one is to be had now without passing those who wait. */
    public synchronized Optional<Share> tryTake(long bytes, boolean isReadable) {
        Share share = new Share(bytes, isReadable, () -> {});
        if (!waiting.isEmpty() || !fits(share)) {
            return Optional.empty();
        }
        grant(share);
        return Optional.of(share);
    }

    public synchronized long usedBytes() {
        return usedBytes;
    }

    private synchronized void enqueue(Share share) {
        waiting.add(share);
    }

    private synchronized void giveBack(Share share) {
        if (share.granted) {
            share.granted = false;
            usedBytes -= share.bytes;
            readable -= share.isReadable ? 1 : 0;
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
        if (next == null || !fits(next)) {
            return null;
        }
        waiting.remove();
        grant(next);
        return next;
    }

    private boolean fits(Share share) {
        boolean fitsRegions = !share.isReadable || readable < MAX_READABLE;
        return fitsRegions && (usedBytes == 0 || share.bytes <= limitBytes - usedBytes);
    }

    private void grant(Share share) {
        share.granted = true;
        usedBytes += share.bytes;
        readable += share.isReadable ? 1 : 0;
    }
}
