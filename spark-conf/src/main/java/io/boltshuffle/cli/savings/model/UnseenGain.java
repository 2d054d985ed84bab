package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.StageSums;

/**
 * The tasks' time that the plugin saves beside the time that Spark counts as writing. Event logs have no clock for it,
 * so it is taken from what {@code bolt bench write} and TPC-DS at scale 1 showed.
 */
enum UnseenGain {
    /**
     * A temporary file of the bypass writer; the plugin's writer has none. Spark opens each with a serializer and a
     * codec of its own, copies it into the output and removes it, and starts its clock only while bytes are written.
     * Map tasks of 200 partitions with 50 rows in each took 0.41 to 0.94 milliseconds less for each file; of that Spark
     * counted 0.14 as writing in TPC-DS.
     */
    TEMPORARY_FILE(0.25e-3, 0.8e-3) {
        @Override
        double count(StageSums stage) {
            return stage.write().temporaryFiles();
        }
    },

    /**
     * A row of SQL, which is encoded without a stream for each partition, and copied without Spark's streams on both
     * sides. The least is below what was measured, 0.085 microseconds with the time of writing. The most is the saving
     * if rows were the cause of all that was saved in TPC-DS: tasks took 39 s of CPU less for 234 million rows, without
     * the time of writing. A part of that was saved on temporary files.
     */
    ROW(50e-9, 170e-9) {
        @Override
        double count(StageSums stage) {
            return stage.write().rows();
        }
    };

    private final double leastSeconds;
    private final double mostSeconds;

    UnseenGain(double leastSeconds, double mostSeconds) {
        this.leastSeconds = leastSeconds;
        this.mostSeconds = mostSeconds;
    }

    /** Returns how many of them a stage has. */
    abstract double count(StageSums stage);

    /** Returns what one of them takes. */
    Range seconds() {
        return new Range(leastSeconds, mostSeconds);
    }

    /** Returns what goes of a stage, at most all that its tasks ran for. */
    Range of(StageSums stage, WriteGain gain) {
        if (gain == WriteGain.LEFT_TO_SPARK) {
            return Range.NONE;
        }
        double number = count(stage);
        double least = gain == WriteGain.NOT_MEASURED ? 0 : leastSeconds;
        return new Range(least * number, mostSeconds * number)
                .atMost(stage.tasks().millis() / 1e3);
    }
}
