package io.boltshuffle.spark.fetch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Holds the blocks for which one leg of a fetch still has to answer, by their place in the leg.
 *
 * <p><b>Invariant:</b> each block can be taken once, and the code that takes it answers for it. This makes delivery
 * exactly-once.
 *
 * <p><b>Threads:</b> safe from any; none waits for another.
 */
final class OutstandingBlocks {
    private final int count;
    /** A bit for each block that was taken. */
    private final AtomicLongArray taken;

    private final AtomicInteger left;
    private final Runnable whenAllTaken;

    /**
     * @param count how many blocks, numbered from 0
     * @param whenAllTaken run once, by the thread that takes the last block, before that thread answers for it; it must
     *     not throw
     */
    OutstandingBlocks(int count, Runnable whenAllTaken) {
        this.count = count;
        this.taken = new AtomicLongArray((count + Long.SIZE - 1) / Long.SIZE);
        this.left = new AtomicInteger(count);
        this.whenAllTaken = whenAllTaken;
    }

    /** Takes one block. Returns false if it was taken before or never belonged here. */
    boolean take(int block) {
        if (block < 0 || block >= count) {
            return false;
        }
        long bit = 1L << block % Long.SIZE;
        long before = taken.getAndAccumulate(block / Long.SIZE, bit, (bits, one) -> bits | one);
        if ((before & bit) != 0) {
            return false;
        }
        if (left.decrementAndGet() == 0) {
            whenAllTaken.run();
        }
        return true;
    }
}
