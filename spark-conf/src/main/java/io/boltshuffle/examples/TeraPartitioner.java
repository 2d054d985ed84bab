package io.boltshuffle.examples;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.Partitioner;

/** Cuts ranges of keys at quantiles of a sample, so that partition order is key order. */
final class TeraPartitioner extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final byte[][] cuts;

    private TeraPartitioner(byte[][] cuts) {
        this.cuts = cuts;
    }

    /** Chooses the cuts. Fewer distinct sampled keys than partitions give fewer cuts, so some partitions stay empty. */
    static TeraPartitioner ofSample(List<byte[]> sample, int partitions) {
        List<byte[]> sorted = sample.stream().sorted(TeraRecord.KEY_ORDER).toList();
        byte[][] cuts = new byte[sorted.isEmpty() ? 0 : partitions - 1][];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = sorted.get((int) ((long) sorted.size() * (i + 1) / partitions));
        }
        return new TeraPartitioner(cuts);
    }

    @Override
    public int numPartitions() {
        return cuts.length + 1;
    }

    /** Returns the partition. A key equal to a cut belongs above it, however often the cut occurs. */
    @Override
    public int getPartition(Object key) {
        int low = 0;
        int high = cuts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (TeraRecord.KEY_ORDER.compare((byte[]) key, cuts[middle]) < 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TeraPartitioner that && Arrays.deepEquals(cuts, that.cuts);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(cuts);
    }
}
