package io.boltshuffle.cli.savings.log;

import io.boltshuffle.draw.Figures;

/** Spark's shuffle writers, of which it chooses one for each shuffle. */
public enum SparkWriter {
    /** A file and a stream for each partition of a task, which are copied together at its end. */
    BYPASS,
    /** Sorts records that are serialized already. */
    SERIALIZED,
    /** Sorts objects, and combines them where the job asks for that. */
    SORT,
    /** The stage writes a shuffle, and the log does not tell how. */
    UNKNOWN,
    /** The stage writes no shuffle. */
    NONE;

    public String label() {
        return this == NONE ? "" : Figures.words(name());
    }
}
