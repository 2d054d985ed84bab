package io.boltshuffle.spark.write;

import java.util.Arrays;

/** Says where the bytes of each partition lie: a list of pieces for each, in the order in which they were added. */
final class PieceList {
    static final int NONE = -1;
    private static final int FIRST_CAPACITY = 64;

    private final int[] first;
    private final int[] last;
    private int[] next = new int[FIRST_CAPACITY];
    private long[] offsets = new long[FIRST_CAPACITY];
    private long[] lengths = new long[FIRST_CAPACITY];
    private int count;

    PieceList(int partitions) {
        first = new int[partitions];
        last = new int[partitions];
        clear();
    }

    /** Adds a piece, or lengthens the partition's last piece if the new one follows it. */
    void add(int partition, long offset, long length) {
        int before = last[partition];
        if (before != NONE && offsets[before] + lengths[before] == offset) {
            lengths[before] += length;
            return;
        }
        if (count == next.length) {
            int capacity = Math.multiplyExact(count, 2);
            next = Arrays.copyOf(next, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
        }
        next[count] = NONE;
        offsets[count] = offset;
        lengths[count] = length;
        if (before == NONE) {
            first[partition] = count;
        } else {
            next[before] = count;
        }
        last[partition] = count;
        count++;
    }

    /** Returns the first piece of a partition, or {@link #NONE}. */
    int first(int partition) {
        return first[partition];
    }

    /** Returns the piece after {@code piece} of the same partition, or {@link #NONE}. */
    int next(int piece) {
        return next[piece];
    }

    long offset(int piece) {
        return offsets[piece];
    }

    long length(int piece) {
        return lengths[piece];
    }

    void clear() {
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
        count = 0;
    }
}
