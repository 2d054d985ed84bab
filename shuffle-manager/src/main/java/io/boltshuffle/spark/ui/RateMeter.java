package io.boltshuffle.spark.ui;

/** Computes a rate from readings of a counter that may start again at zero. Confined to its owner's lock. */
final class RateMeter {
    /** Readings closer than this make no rate of their own, which would be noise. */
    private static final long SHORTEST_MILLIS = 500;

    /** The time without a reading after which the rate is zero. */
    private static final long STALE_MILLIS = 8_000;

    private long lastReading;
    private long total;
    private long rateFromMillis;
    private long rateFromTotal;
    private double bytesPerSecond;

    /** @param baseline what the counter showed before the application began */
    RateMeter(long timeMillis, long baseline) {
        this.lastReading = baseline;
        this.rateFromMillis = timeMillis;
    }

    void read(long timeMillis, long reading) {
        total += reading >= lastReading ? reading - lastReading : reading;
        lastReading = reading;
        long elapsed = timeMillis - rateFromMillis;
        if (elapsed >= SHORTEST_MILLIS) {
            bytesPerSecond = (total - rateFromTotal) * 1_000.0 / elapsed;
            rateFromMillis = timeMillis;
            rateFromTotal = total;
        }
    }

    long total() {
        return total;
    }

    double bytesPerSecond(long nowMillis) {
        return nowMillis - rateFromMillis > STALE_MILLIS ? 0 : bytesPerSecond;
    }
}
