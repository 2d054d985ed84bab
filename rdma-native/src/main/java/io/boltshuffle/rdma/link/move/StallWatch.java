package io.boltshuffle.rdma.link.move;

import org.jspecify.annotations.Nullable;

/** Notices that one direction is busy but makes no progress: the only sign of a dead peer that the fabric gives. */
final class StallWatch {

    private final long limitNanos;
    private long completed;
    private boolean busy;
    private long sinceNanos;

    StallWatch(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Notes that work came to an end. */
    void progress() {
        completed++;
    }

    /** @param nowBusy whether anything is under way now */
    void observe(boolean nowBusy, long nowNanos) {
        if (!busy || !nowBusy || completed > 0) {
            sinceNanos = nowNanos;
        }
        busy = nowBusy;
        completed = 0;
    }

    boolean isStalled(long nowNanos) {
        return busy && nowNanos - sinceNanos >= limitNanos;
    }

    /** Returns when {@link #isStalled} becomes true if nothing happens, or null if nothing is under way. */
    @Nullable Long deadlineNanos() {
        return busy ? sinceNanos + limitNanos : null;
    }
}
