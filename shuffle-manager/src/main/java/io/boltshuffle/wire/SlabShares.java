package io.boltshuffle.wire;

/**
 * Divides an agent's memory. The agent keeps to these shares and its executors count on them, so this class is in their
 * common package.
 *
 * @param slabBytes the whole slab
 */
public record SlabShares(long slabBytes) {

    /**
     * Returns how much peers may have staged. Without a limit, two agents would wait for each other's memory until
     * their deadlines.
     */
    public long stagedForPeers() {
        return slabBytes / 2;
    }

    /** Returns how much may be kept of blocks in memory that were laid out, because other hosts may want them next. */
    public long keptForAskers() {
        return slabBytes / 16;
    }

    /**
     * Returns how much all tasks together may hold, waiting or being read. They have to copy out what they get beyond
     * it.
     */
    public long heldByTasks() {
        return slabBytes / 4;
    }

    /** Returns how much of that one task may hold. */
    public long heldByOneTask() {
        return slabBytes / 16 * 3;
    }

    /** Returns the largest block of a process's memory that is asked for, or served: it lies here as a whole. */
    public long largestLiveBlock() {
        return Math.min(WireLimits.MAX_LIVE_BYTES, heldByOneTask());
    }

    /**
     * Returns how much the fetches of one task may have leased together; a further one waits. It is twice what the task
     * may hold, because pieces of a large block are held until the last one arrives: without room beside them, they
     * would wait for each other.
     */
    public long leasedByOneTask() {
        return 2 * heldByOneTask();
    }

    /**
     * Returns how much all tasks together may request ahead of what they read. It is half of what they may hold; the
     * other half is for what they read.
     */
    public long readAhead() {
        return slabBytes / 8;
    }
}
