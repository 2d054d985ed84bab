package io.boltshuffle.cli.savings.log;

import java.util.OptionalInt;

/**
 * The properties of a shuffle that a log shows for the stage that writes it.
 *
 * @param partitions into which its records go, where that is known
 * @param combine whether records are combined before they are written
 * @param relocatable whether serialized records may change places, so that Spark may sort them as bytes
 */
public record LoggedShuffle(OptionalInt partitions, Answer combine, Answer relocatable) {
    static final LoggedShuffle UNKNOWN = new LoggedShuffle(OptionalInt.empty(), Answer.UNKNOWN, Answer.UNKNOWN);

    /** The most partitions for which Spark can sort serialized records: a partition's number has 24 bits there. */
    private static final int MOST_SERIALIZED = 1 << 24;

    /** The answer of a log to a question. */
    public enum Answer {
        YES,
        NO,
        UNKNOWN
    }

    /** Returns the shape of a shuffle of SQL's rows: the writer never combines them, and may move them as bytes. */
    static LoggedShuffle ofRows(OptionalInt partitions) {
        return new LoggedShuffle(partitions, Answer.NO, Answer.YES);
    }

    /**
     * Returns the writer that Spark's sort shuffle chooses, by the rules of its {@code SortShuffleManager}.
     *
     * @param bypassThreshold {@code spark.shuffle.sort.bypassMergeThreshold}
     */
    SparkWriter writer(int bypassThreshold) {
        if (combine == Answer.YES) {
            return SparkWriter.SORT;
        }
        if (combine == Answer.UNKNOWN || partitions.isEmpty()) {
            return SparkWriter.UNKNOWN;
        }
        if (partitions.getAsInt() <= bypassThreshold) {
            return SparkWriter.BYPASS;
        }
        return switch (relocatable) {
            case YES -> partitions.getAsInt() <= MOST_SERIALIZED ? SparkWriter.SERIALIZED : SparkWriter.SORT;
            case NO -> SparkWriter.SORT;
            case UNKNOWN -> SparkWriter.UNKNOWN;
        };
    }
}
