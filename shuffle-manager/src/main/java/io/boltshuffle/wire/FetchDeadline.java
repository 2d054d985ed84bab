package io.boltshuffle.wire;

import java.util.concurrent.TimeUnit;

/**
 * When a fetch is given up, as executor and agent count it: when nothing came for the timeout, from its start or from
 * the last part that came; and at the latest when it has come, on average, slower than {@link #FLOOR_BYTES_PER_SECOND}
 * once the timeout is over. So a large block on a slow cable has the time that it takes, and a peer that hands out
 * crumbs has not.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class FetchDeadline {

    /** A fetch as slow as this goes by TCP: any network is faster. */
    public static final long FLOOR_BYTES_PER_SECOND = 1 << 20;

    private final long startNanos;
    private final long timeoutNanos;
    private long lastNanos;
    private long bytes;

    /** @param startNanos by the clock of whoever counts */
    public FetchDeadline(long startNanos, long timeoutNanos) {
        this.startNanos = startNanos;
        this.timeoutNanos = timeoutNanos;
        this.lastNanos = startNanos;
    }

    /** A part came: bytes, or word that some will not come. */
    public void progress(long nowNanos, long moreBytes) {
        lastNanos = nowNanos;
        bytes += moreBytes;
    }

    /** When it is over, unless more comes. */
    public long nanos() {
        long allowance = TimeUnit.SECONDS.toNanos(bytes / FLOOR_BYTES_PER_SECOND)
                + TimeUnit.SECONDS.toNanos(bytes % FLOOR_BYTES_PER_SECOND) / FLOOR_BYTES_PER_SECOND;
        long sinceStart = Math.min(lastNanos - startNanos, allowance);
        return startNanos + sinceStart + timeoutNanos;
    }
}
