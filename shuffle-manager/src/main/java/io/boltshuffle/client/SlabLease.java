package io.boltshuffle.client;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Represents a lease of the agent's memory that was delivered here in slices, each with a reader of its own.
 *
 * <p><b>Invariant:</b> the lease goes back once: when each slice has been released, or when the garbage collector finds
 * that the rest can neither be read nor released. It does not go back while a slice is held.
 *
 * <p><b>Ownership:</b> the {@link FetchedBytes} of the slices keep the lease alive.
 *
 * <p><b>Threads:</b> any; a task that lets a slice go waits for no other.
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
        private static final int WORD_BITS = Long.SIZE;

        /** A bit for each slice that is held; each is cleared once, by what lets the slice go. */
        private final AtomicLongArray held;

        private final AtomicInteger heldCount;
        private final Runnable action;
        private final ClientCounters counters;

        WayBack(int slices, Runnable action, ClientCounters counters) {
            this.held = new AtomicLongArray((slices + WORD_BITS - 1) / WORD_BITS);
            for (int word = 0; word < held.length(); word++) {
                held.setPlain(word, mask(word, 0, slices));
            }
            this.heldCount = new AtomicInteger(slices);
            this.action = action;
            this.counters = counters;
        }

        /** Returns the bits of a word that stand for slices from one to before another. */
        private static long mask(int word, int from, int to) {
            int first = Math.max(0, from - word * WORD_BITS);
            int end = Math.min(WORD_BITS, to - word * WORD_BITS);
            return first >= end ? 0 : -1L >>> (WORD_BITS - (end - first)) << first;
        }

        /**
         * Lets slices go.
         *
         * @return whether these were the last that were held
         */
        boolean letGo(int from, int to) {
            int cleared = 0;
            for (int word = from / WORD_BITS; word * WORD_BITS < to; word++) {
                long mask = mask(word, from, to);
                cleared += Long.bitCount(held.getAndAccumulate(word, ~mask, (bits, kept) -> bits & kept) & mask);
            }
            return cleared > 0 && heldCount.addAndGet(-cleared) == 0;
        }

        @Override
        public void run() {
            counters.forgotten(heldCount.get());
            action.run();
        }
    }

    /**
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
                cleanable.clean();
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
