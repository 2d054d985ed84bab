package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;
import java.util.Arrays;

/** The times of requests: the median, the 99th percentile, the maximum. */
public record LatencyNanos(long p50, long p99, long max) implements Serializable {

    /** Computes nearest ranks of at least one value. */
    static LatencyNanos of(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new LatencyNanos(rank(sorted, 50), rank(sorted, 99), sorted[sorted.length - 1]);
    }

    private static long rank(long[] sorted, int percent) {
        return sorted[(int) ((sorted.length * (long) percent + 99) / 100) - 1];
    }
}
