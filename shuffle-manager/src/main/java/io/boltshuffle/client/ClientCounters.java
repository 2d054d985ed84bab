package io.boltshuffle.client;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what only the client can know. Any thread may call it. */
public final class ClientCounters {

    private final AtomicLong copiedOutBytes = new AtomicLong();
    private final AtomicLong forgotten = new AtomicLong();

    void copiedOut(long bytes) {
        copiedOutBytes.addAndGet(bytes);
    }

    void forgotten(int slices) {
        forgotten.addAndGet(slices);
    }

    /** Returns how many bytes were copied because the agent was short of memory. */
    public long copiedOutBytes() {
        return copiedOutBytes.get();
    }

    /**
     * Returns how many blocks, or pieces of large blocks, were dropped without a release. That is a defect of the
     * reader; the garbage collector returns the memory.
     */
    public long forgottenCount() {
        return forgotten.get();
    }
}
