package io.boltshuffle.rdma.link.move;

/**
 * The speed at which bytes arrive while some are awaited. Calibration gives a first guess. A poller that sleeps by too
 * low a rate lets the cable run dry, and by too high a rate it wakes again and again for little.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
final class ArrivalRate {

    /** Fewer bytes tell of latency, not of the rate. */
    private static final long SAMPLE_BYTES = 1 << 20;

    /** The weight of a new sample. */
    private static final double WEIGHT = 0.25;

    private long sinceNanos;
    private long bytesSince;
    private double bytesPerNano;

    /** Stops the clock: no bytes are awaited. */
    void idle(long nowNanos) {
        sinceNanos = nowNanos;
        bytesSince = 0;
    }

    /**
     * Counts bytes that arrived since the last call of any method here.
     *
     * @param more whether more is on its way; if not, the cable may have had nothing to do for a while, and the rate is
     *     at least what was seen
     */
    void arrived(long bytes, boolean more, long nowNanos) {
        bytesSince += bytes;
        long nanos = nowNanos - sinceNanos;
        if (nanos <= 0 || bytesSince == 0 || (more && bytesSince < SAMPLE_BYTES)) {
            return;
        }
        double seen = (double) bytesSince / nanos;
        if (more && bytesPerNano > 0) {
            bytesPerNano += WEIGHT * (seen - bytesPerNano);
        } else {
            bytesPerNano = Math.max(bytesPerNano, seen);
        }
        idle(nowNanos);
    }

    /** Returns the rate, or the guess if too little arrived yet to know. */
    double bytesPerNano(double guess) {
        return bytesPerNano > 0 ? bytesPerNano : guess;
    }
}
