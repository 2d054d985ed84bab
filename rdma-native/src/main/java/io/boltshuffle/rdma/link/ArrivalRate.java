package io.boltshuffle.rdma.link;

/**
 * How fast bytes arrive while some are awaited. Calibration gives a first guess; a guess that is too low would let a poller sleep
 * until the cable has nothing left to do.
 *
 * <p><b>Threads:</b> confined to the poller.
 */
final class ArrivalRate {

    /** Of a new observation. */
    private static final double WEIGHT = 0.25;

    private long sinceNanos;
    private double bytesPerNano;

    /** Nothing is awaited. */
    void idle(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /** So many bytes arrived since the last call of any method here. */
    void arrived(long bytes, long nowNanos) {
        long nanos = nowNanos - sinceNanos;
        if (bytes > 0 && nanos > 0) {
            bytesPerNano += WEIGHT * ((double) bytes / nanos - bytesPerNano);
            sinceNanos = nowNanos;
        }
    }

    /** The rate, or the guess if that is higher. */
    double bytesPerNano(double guess) {
        return Math.max(guess, bytesPerNano);
    }
}
