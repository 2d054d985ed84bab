package io.boltshuffle.bench;

import java.util.Locale;

/** What a reduce task does with the rows it fetches. */
public enum StageOperation {
    /** Counts the rows. */
    REPARTITION,
    /** Sorts the rows by key, and then counts them. */
    SORT;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return label();
    }
}
