package io.boltshuffle.wire;

/**
 * How an agent's memory is shared out. The agent keeps to it, and its executors count on it, which is why it is here.
 *
 * @param slabBytes all of it
 */
public record SlabShares(long slabBytes) {

    /** What peers may have staged: two agents that wait for each other's memory would wait until their deadlines. */
    public long stagedForPeers() {
        return slabBytes / 2;
    }

    /** What tasks together may hold, waiting or being read; what they get beyond it they have to copy out. */
    public long heldByTasks() {
        return slabBytes / 4;
    }

    /** What one task may hold of that. */
    public long heldByOneTask() {
        return slabBytes / 16 * 3;
    }

    /**
     * What the fetches of one task may have leased together; a further one waits. Twice what it may hold: pieces of a
     * large block are held until the last one is here, and were there no room for it beside them, they would wait for
     * each other.
     */
    public long leasedByOneTask() {
        return 2 * heldByOneTask();
    }

    /**
     * What tasks together may ask for ahead of what they read: half of what they may hold, the rest is for what they
     * read.
     */
    public long readAhead() {
        return slabBytes / 8;
    }
}
