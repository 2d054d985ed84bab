package io.boltshuffle.agent.serve;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how much memory may be staged for peers at once, so that what peers pull can never take all the memory that
 * this host's own fetches need: two agents that wait for each other's memory would wait until their deadlines.
 *
 * <p>First come, first served. A request larger than the limit is admitted alone. Memory that peers may read themselves
 * is limited by the number of areas, too, because each takes a memory region of the device.
 *
 * <p><b>Threads:</b> waiting is the business of the agent's loop, and so is giving back, because it may end another's
 * wait. {@link #tryTake} may be called from any thread, for each pull, and takes no lock.
 */
public final class StagingBudget {

    /** The most areas that peers may read at once. */
    public static final int MAX_READABLE = 32;

    /** Has shares that it could do without. */
    public interface Saver {
        /** Ends them: somebody waits. On the loop. */
        void save();
    }

    /**
     * The number of bits that count areas in the word of used memory: the lowest ones; those above them count bytes.
     */
    private static final int AREA_BITS = 6;

    private static final long AREA_MASK = (1L << AREA_BITS) - 1;

    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();
    private final Queue<Share> waiting = new ArrayDeque<>();
    private final Set<Saver> savers = new LinkedHashSet<>();

    /** Tells other threads. */
    private volatile boolean isShort;

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

        /** Returns what it adds to the word that tells what is used. */
        private long word() {
            return (bytes << AREA_BITS) + (isReadable ? 1 : 0);
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
        List.copyOf(savers).forEach(Saver::save);
    }

    /** Adds a saver. Called on the loop. */
    public void add(Saver saver) {
        savers.add(saver);
    }

    /** Removes a saver. Called on the loop. */
    public void remove(Saver saver) {
        savers.remove(saver);
    }

    /** Returns whether somebody waits. */
    public boolean isShort() {
        return isShort;
    }

    /** A share, if one is to be had now without passing those who wait. */
    public Optional<Share> tryTake(long bytes, boolean isReadable) {
        Share share = new Share(bytes, isReadable, () -> {});
        return isShort || !grant(share) ? Optional.empty() : Optional.of(share);
    }

    public long usedBytes() {
        return used.get() >> AREA_BITS;
    }

    private void enqueue(Share share) {
        waiting.add(share);
        isShort = true;
    }

    private void giveBack(Share share) {
        if (share.granted) {
            share.granted = false;
            used.addAndGet(-share.word());
        } else if (waiting.remove(share)) {
            isShort = !waiting.isEmpty();
        }
    }

    /** Grants what fits, one at a time: what is granted may be given back at once. */
    private void serve() {
        for (Share next = waiting.peek(); next != null && grant(next); next = waiting.peek()) {
            waiting.remove();
            isShort = !waiting.isEmpty();
            next.onGranted.run();
        }
    }

    /** Grants a share if it fits. */
    private boolean grant(Share share) {
        long before;
        do {
            before = used.get();
            boolean fitsAreas = !share.isReadable || (before & AREA_MASK) < MAX_READABLE;
            long usedBytes = before >> AREA_BITS;
            if (!fitsAreas || (usedBytes > 0 && share.bytes > limitBytes - usedBytes)) {
                return false;
            }
        } while (!used.compareAndSet(before, before + share.word()));
        share.granted = true;
        return true;
    }
}
