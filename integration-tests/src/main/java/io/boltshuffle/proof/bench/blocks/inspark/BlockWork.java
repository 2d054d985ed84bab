package io.boltshuffle.proof.bench.blocks.inspark;

import java.util.Locale;

/** Work that makes blocks in memory travel between hosts. */
public enum BlockWork {
    /** A task reads a broadcast of the driver, which runs on the other host. */
    BROADCAST,
    /** A task reads partitions that are cached on the other host, in serialized form. */
    CACHED,
    /** The driver collects the result of one task of the other host. */
    RESULT;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
