package io.boltshuffle.proof.soak;

import java.util.Locale;

/** A resource of a process that is watched, and how much more of it at the end counts as noise. */
enum WatchedResource {
    PRIVATE_MEMORY("resident memory, MiB", 1 << 20, 48),
    /** The live heap includes the data that a task reads at that moment. */
    LIVE_HEAP("heap after a collection, MiB", 1 << 20, 32),
    DESCRIPTORS("file descriptors", 1, 24),
    THREADS("threads", 1, 12),
    /** A process may have mapped a slab late, but no more than one. */
    SLAB("mapped slabs, MiB", 1 << 20, 64),
    QUARANTINED("quarantined memory, MiB", 1 << 20, 0);

    private static final double SHARE = 0.2;

    private final String label;
    private final long unit;
    private final long allowance;

    WatchedResource(String label, long unit, long allowance) {
        this.label = label;
        this.unit = unit;
        this.allowance = allowance;
    }

    /** Returns the label with its unit. */
    String label() {
        return label;
    }

    String text(double value) {
        return String.format(Locale.ROOT, unit == 1 ? "%.0f" : "%.1f", value / unit);
    }

    /**
     * Returns whether a value has grown from {@code early} to {@code late} by more than a fifth and more than the
     * allowance.
     */
    boolean hasGrown(double early, double late) {
        return late - early > Math.max(allowance * (double) unit, allowance == 0 ? 0 : SHARE * early);
    }
}
