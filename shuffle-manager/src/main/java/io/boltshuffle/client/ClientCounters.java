package io.boltshuffle.client;

import java.util.concurrent.atomic.AtomicLong;

/** What only the client knows. Any thread. */
public final class ClientCounters {

    private final AtomicLong copiedOutBytes = new AtomicLong();
    private final AtomicLong forgotten = new AtomicLong();

    void copiedOut(long bytes) {
        copiedOutBytes.addAndGet(bytes);
    }

    void forgotten() {
        forgotten.incrementAndGet();
    }

    /** Bytes that were copied because the agent was short of memory. */
    public long copiedOutBytes() {
        return copiedOutBytes.get();
    }

    /** Fetched bytes that nobody released: a defect of the reader, mended by the garbage collector. */
    public long forgottenCount() {
        return forgotten.get();
    }
}
