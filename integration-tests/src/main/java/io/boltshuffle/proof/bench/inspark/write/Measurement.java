package io.boltshuffle.proof.bench.inspark.write;

/** A small object, as programs that use RDDs shuffle them: some longs behind the key. Kryo needs it to be a class. */
final class Measurement {
    private static final long SPREAD = 7919;
    private static final long LARGEST = 1_000_003;

    private final long[] values;

    Measurement(long id, int longs) {
        values = new long[longs];
        for (int index = 0; index < longs; index++) {
            values[index] = id * (index + 1) * SPREAD % LARGEST;
        }
    }

    /** Creates an empty object, which Kryo fills. */
    Measurement() {
        values = new long[0];
    }

    /** Returns what a reader can add up, so that it has to have read everything. */
    long sum() {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
