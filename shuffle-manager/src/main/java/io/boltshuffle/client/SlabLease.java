package io.boltshuffle.client;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.BitSet;

/**
 * Represents a lease of the agent's memory that was delivered here in slices, each with a reader of its own.
 *
 * <p><b>Invariant:</b> the lease goes back once: when each slice has been released, or when the garbage collector finds
 * that the rest can neither be read nor released. It does not go back while a slice is held.
 *
 * <p><b>Ownership:</b> the {@link FetchedBytes} of the slices keep the lease alive.
 *
 * <p><b>Threads:</b> any.
 */
final class SlabLease {

    private static final Cleaner CLEANER = Cleaner.create();

    private final int slices;
    private final WayBack wayBack;
    private final Cleaner.Cleanable cleanable;

    /**
     * Holds what is left to do. It is apart from the lease so that the cleaner does not keep the lease alive. It runs
     * once.
     */
    private static final class WayBack implements Runnable {
        private final BitSet held; // guarded by this
        private final Runnable action;
        private final ClientCounters counters;

        WayBack(int slices, Runnable action, ClientCounters counters) {
            this.held = new BitSet(slices);
            this.held.set(0, slices);
            this.action = action;
            this.counters = counters;
        }

        /**
         * Lets slices go.
         *
         * @return whether no slice is held any more
         */
        synchronized boolean letGo(int from, int to) {
            held.clear(from, to);
            return held.isEmpty();
        }

        private synchronized int heldCount() {
            return held.cardinality();
        }

        @Override
        public void run() {
            counters.forgotten(heldCount());
            action.run();
        }
    }

    /**
     * Creates the lease.
     *
     * @param slices how many, at least one; they are numbered from 0
     * @param wayBack gives the lease back; it runs on the thread that releases the last slice, or on the cleaner's
     * @param counters count forgotten slices
     */
    SlabLease(int slices, Runnable wayBack, ClientCounters counters) {
        this.slices = slices;
        this.wayBack = new WayBack(slices, wayBack, counters);
        this.cleanable = CLEANER.register(this, this.wayBack);
    }

    /** Releases a slice. It has no effect on a slice that was released before. */
    void release(int slice) {
        letGo(slice, slice + 1);
    }

    /** Releases the slices from this one on. */
    void releaseFrom(int first) {
        letGo(first, slices);
    }

    private void letGo(int from, int to) {
        try {
            if (wayBack.letGo(from, to)) {
                // If several threads come here, the cleaner ensures that one acts.
                cleanable.clean();
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
