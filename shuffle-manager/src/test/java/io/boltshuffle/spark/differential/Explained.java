package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.TrialPartitioner.Manner;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.jspecify.annotations.Nullable;

/**
 * Why a task of the one side may end in another way than that of the other. {@link ShuffleDifferenceTest} has a trial
 * for each but the interrupt.
 */
enum Explained {
    /**
     * Which step of a task an interrupt strikes depends on what the step is done with. Spark's sorters may even lose
     * records to one and end well. Spark kills the task all the same.
     */
    ONE_SIDE_NOTICED_THE_INTERRUPT {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return trial.fault().isInterrupt();
        }
    },
    /** Spark's sorters cannot do without a page, or the array of their pointers. The plugin's writer can. */
    SPARKS_SORTER_HAD_NO_MEMORY {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return stock instanceof SparkOutOfMemoryError;
        }
    },
    /** Spark's serialized writer keeps 24 bits of a partition's number, and Integer.MIN_VALUE becomes 0. */
    SPARK_CUTS_PARTITION_NUMBERS {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return trial.partitioner().manner() == Manner.ANSWERS_LEAST
                    && stock == null
                    && ours instanceof IndexOutOfBoundsException;
        }
    },
    /**
     * Spark's serialized writer decompresses spills that nobody compressed, when it may not merge them as they are. It
     * does so though the plugin's has refused what Spark's does not notice.
     */
    SPARKS_SLOW_MERGE_EXPECTS_COMPRESSION {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return stock instanceof IOException
                    && trial.site().mergesPlainSpillsSlowly()
                    && (ours == null
                            || SPARK_CUTS_PARTITION_NUMBERS.explains(trial, null, ours)
                            || SPARKS_SORTER_CLOSES_NO_STREAM.explains(trial, null, ours));
        }
    },
    /** Spark's serialized writer does not close its stream, and so does not see that closing fails. */
    SPARKS_SORTER_CLOSES_NO_STREAM {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return stock == null
                    && ours instanceof UnsupportedOperationException
                    && trial.serializer().failsToClose();
        }
    },
    /** Spark only asserts that a flush brings bytes of a record. Where assertions are off, its record is lost. */
    SPARK_ONLY_ASSERTS_THAT_A_FLUSH_HELPS {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return stock instanceof AssertionError
                    && ours instanceof IllegalStateException
                    && trial.serializer().isWrongAboutItself();
        }
    },
    /**
     * The serializer is wrong in saying that its objects may change places. Spark's serialized writer drops what frames
     * a stream of them, so that the map task fails or nobody can read its output. The plugin's writer has a stream for
     * each of a few partitions, as Spark's bypass writer has, and the output is read as it was written.
     */
    SPARKS_SORTER_DROPS_FRAMES {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return (stock instanceof AssertionError || stock instanceof StreamCorruptedException)
                    && ours == null
                    && trial.serializer().isWrongAboutItself();
        }
    },
    /**
     * One of two things that fail strikes first. Spark's bypass writer opens a file and a stream for each partition
     * before the first record, where the plugin's needs none.
     */
    ANOTHER_THING_FAILS_FIRST {
        @Override
        boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours) {
            return stock != null && ours != null && trial.thingsThatFail() > 1;
        }
    };

    /**
     * Returns whether this is why two tasks of a trial ended so differently.
     *
     * @param stock the root of what Spark's failed by; null if it did not fail
     * @param ours the same of the plugin's
     */
    abstract boolean explains(Trial trial, @Nullable Throwable stock, @Nullable Throwable ours);
}
