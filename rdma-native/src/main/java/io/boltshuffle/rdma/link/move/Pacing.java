package io.boltshuffle.rdma.link.move;

import org.jspecify.annotations.Nullable;

/**
 * Decides how long a poller that found nothing may sleep.
 *
 * <p>Apple's fabric announces no completions, so what is waited for must be polled for, on other fabrics, too. Little
 * under way will be there in microseconds: spin, because a sleep costs fifty. Much under way takes as long as the cable
 * takes for it: sleep until a round is worth it, because spinning would cost a core and gain nothing. With nothing
 * under way only a message or a command can come, and those wake the poller; while small messages come and go it spins
 * a moment for the next one all the same.
 *
 * <p><b>Threads:</b> confined to the poller.
 */
public final class Pacing {

    /** Longest spin for something that should be there already. */
    static final long SPIN_NANOS = 30_000;

    /** Longest sleep while a transfer waits for what the device has to do. */
    public static final long LONGEST_BUSY_NANOS = 8_000_000;

    /** Longest sleep while only counters and the search for dead cables wait for what the device has to do. */
    static final long LONGEST_SERVING_NANOS = 100_000_000;

    public static final long LONGEST_IDLE_NANOS = 1_000_000_000;

    private static final long SHORTEST_NANOS = 20_000;

    /** The number of bytes under way from which throughput counts more than latency. */
    private static final long BULK_BYTES = 256 << 10;

    private static final long BULK_ENDS_NANOS = 5_000_000;

    private long quietSinceNanos;
    private long bulkSeenNanos;
    private boolean bulk;
    private long lastNanos;

    /** A round had something to do. */
    public void worked(long nowNanos) {
        quietSinceNanos = nowNanos;
        lastNanos = 0;
    }

    /**
     * Returns how long to sleep after a round with nothing to do; 0 is to spin.
     *
     * @param bytesUnderWay what the device has to do
     * @param expectedNanos when it will have done enough of that for another round
     * @param deadlineNanos when to be back in any case, or null
     */
    public long pauseNanos(long nowNanos, long bytesUnderWay, long expectedNanos, @Nullable Long deadlineNanos) {
        boolean soon = expectedNanos <= SHORTEST_NANOS && nowNanos - quietSinceNanos < SPIN_NANOS;
        if (!isBulk(nowNanos, bytesUnderWay) && soon) {
            return 0;
        }
        long pause = LONGEST_IDLE_NANOS;
        if (bytesUnderWay > 0) {
            pause = Math.max(expectedNanos, Math.min(LONGEST_BUSY_NANOS, Math.max(SHORTEST_NANOS, 2 * lastNanos)));
            lastNanos = pause;
        }
        return deadlineNanos == null ? pause : Math.max(1, Math.min(pause, deadlineNanos - nowNanos));
    }

    private boolean isBulk(long nowNanos, long bytesUnderWay) {
        if (bytesUnderWay >= BULK_BYTES) {
            bulk = true;
            bulkSeenNanos = nowNanos;
        } else if (nowNanos - bulkSeenNanos > BULK_ENDS_NANOS) {
            bulk = false;
        }
        return bulk;
    }
}
