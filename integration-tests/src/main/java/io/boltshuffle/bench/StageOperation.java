package io.boltshuffle.bench;

import java.util.Locale;

/** What a reduce task does with the rows it fetches. */
public enum StageOperation {
    /** Counts them. */
    REPARTITION,
    /** Sorts them by key, and then counts them. */
    SORT;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return label();
    }
}
