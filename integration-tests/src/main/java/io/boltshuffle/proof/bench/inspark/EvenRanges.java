package io.boltshuffle.proof.bench.inspark;

import org.apache.spark.Partitioner;

/**
 * Cuts the integers from 0 up into ranges of the same length. Rows with evenly spread keys need no sample for even
 * cuts.
 */
final class EvenRanges extends Partitioner {
    private static final long KEYS = 1L << 31;

    private final int ranges;

    EvenRanges(int ranges) {
        this.ranges = ranges;
    }

    @Override
    public int numPartitions() {
        return ranges;
    }

    @Override
    public int getPartition(Object key) {
        return (int) ((Integer) key * (long) ranges / KEYS);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EvenRanges even && even.ranges == ranges;
    }

    @Override
    public int hashCode() {
        return ranges;
    }
}
