package io.boltshuffle.client;

import java.util.concurrent.atomic.AtomicLong;

/** What only the client knows. Any thread. */
public final class ClientCounters {

    private final AtomicLong copiedOutBytes = new AtomicLong();
    private final AtomicLong forgotten = new AtomicLong();

    void copiedOut(long bytes) {
        copiedOutBytes.addAndGet(bytes);
    }

    void forgotten(int slices) {
        forgotten.addAndGet(slices);
    }

    /** Bytes that were copied because the agent was short of memory. */
    public long copiedOutBytes() {
        return copiedOutBytes.get();
    }

    /**
     * Blocks, or pieces of large ones, that were dropped in the agent's memory without a release: a defect of the
     * reader, mended by the garbage collector.
     */
    public long forgottenCount() {
        return forgotten.get();
    }
}
