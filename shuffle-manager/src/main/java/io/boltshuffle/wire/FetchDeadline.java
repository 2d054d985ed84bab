package io.boltshuffle.wire;

import java.util.concurrent.TimeUnit;

/**
 * Computes when executor and agent give a fetch up. They do so if nothing came for the timeout, counted from the start
 * or from the last part that came. After the timeout, they also do so if the fetch has been slower on average than
 * {@link #FLOOR_BYTES_PER_SECOND}. A large block on a slow cable thus has the time that it needs, but a peer that sends
 * tiny parts cannot prolong a fetch for ever.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class FetchDeadline {

    /** A slower fetch goes by TCP, because any network is faster. */
    public static final long FLOOR_BYTES_PER_SECOND = 1 << 20;

    private final long startNanos;
    private final long timeoutNanos;
    private long lastNanos;
    private long bytes;

    /** @param startNanos the start, by the clock that the caller uses throughout */
    public FetchDeadline(long startNanos, long timeoutNanos) {
        this.startNanos = startNanos;
        this.timeoutNanos = timeoutNanos;
        this.lastNanos = startNanos;
    }

    /** Takes note of a part that came: bytes, or the news that some will not come. */
    public void progress(long nowNanos, long moreBytes) {
        lastNanos = nowNanos;
        bytes += moreBytes;
    }

    /** Returns when the deadline is over, unless more comes. */
    public long nanos() {
        long allowance = TimeUnit.SECONDS.toNanos(bytes / FLOOR_BYTES_PER_SECOND)
                + TimeUnit.SECONDS.toNanos(bytes % FLOOR_BYTES_PER_SECOND) / FLOOR_BYTES_PER_SECOND;
        long sinceStart = Math.min(lastNanos - startNanos, allowance);
        return startNanos + sinceStart + timeoutNanos;
    }
}
