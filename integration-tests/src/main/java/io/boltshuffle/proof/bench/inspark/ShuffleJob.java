package io.boltshuffle.proof.bench.inspark;

import java.util.Locale;

/** Small jobs that do little besides shuffling, of the kinds that people write by hand. */
public enum ShuffleJob {
    /** Repartitions rows of a kilobyte, 64 x 64. */
    WIDE,
    /** Joins two tables of pairs of longs by a key that each of their rows has once. */
    JOIN,
    /** Counts pairs of longs by a key that about two of them have. */
    GROUP_BY,
    /** Repartitions pairs of longs, 8 x 200. */
    NARROW;

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
