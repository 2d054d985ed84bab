package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the blocks of one leg that RDMA handed back and that wait for their Netty leg, as a stack that is linked by the
 * places of the blocks. All of its memory is there from the start, because blocks also come back where memory has run
 * out.
 *
 * <p><b>Invariant:</b> a block is added once at most, and taken once if it was added.
 *
 * <p><b>Threads:</b> safe from any; none waits for another.
 */
final class HandedBackBlocks {

    /** Stands for no block. */
    static final int NONE = -1;

    private final AtomicInteger last = new AtomicInteger(NONE);
    // Written by the thread that adds a block, before the block can be taken.
    private final FallbackReason[] reasons;
    private final int[] neighbours;

    /** @param count how many blocks the leg has, numbered from 0 */
    HandedBackBlocks(int count) {
        this.reasons = new FallbackReason[count];
        this.neighbours = new int[count];
    }

    /** Adds a block. Returns true if none was waiting, so that the caller has to see to it that all are taken. */
    boolean add(int block, FallbackReason reason) {
        reasons[block] = reason;
        int before;
        do {
            before = last.get();
            neighbours[block] = before;
        } while (!last.compareAndSet(before, block));
        return before == NONE;
    }

    /**
     * Takes all that wait.
     *
     * @return the one that was added first, which {@link #after} follows to the others; {@link #NONE} if none waits
     */
    int takeAll() {
        int later = NONE;
        int block = last.getAndSet(NONE);
        while (block != NONE) {
            int earlier = neighbours[block];
            neighbours[block] = later;
            later = block;
            block = earlier;
        }
        return later;
    }

    /** Returns the block that was taken with this one and was added next; {@link #NONE} after the last one. */
    int after(int block) {
        return neighbours[block];
    }

    FallbackReason reason(int block) {
        return reasons[block];
    }
}
