package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.StageSums;

/**
 * The tasks' time that the plugin saves for each row of SQL, beside the time that Spark counts as writing: rows are
 * encoded without a stream for each partition, and copied without Spark's streams on both sides. Event logs have no
 * clock for it.
 */
final class RowGain {

    /** Below the least that {@code bolt bench write} measured: 0.085 microseconds, time of writing included. */
    static final double LEAST_NANOS = 50;

    /**
     * The saving if rows were the cause of all that was saved in TPC-DS at scale 1: tasks took 39 s of CPU less for 234
     * million rows, time of writing not included. A part of that was saved on temporary files.
     */
    static final double MOST_NANOS = 170;

    private RowGain() {}

    /** Returns what goes of a stage, at most all that its tasks ran for. */
    static Range of(StageSums stage, WriteGain gain) {
        if (gain == WriteGain.LEFT_TO_SPARK) {
            return Range.NONE;
        }
        double rows = stage.write().rows() / 1e9;
        double least = gain == WriteGain.NOT_MEASURED ? 0 : LEAST_NANOS;
        return new Range(least * rows, MOST_NANOS * rows).atMost(stage.tasks().millis() / 1e3);
    }
}
