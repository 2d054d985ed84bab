package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.ShuffleSide.Read;
import io.boltshuffle.spark.differential.ShuffleSide.Written;
import io.boltshuffle.spark.differential.TrialPartitioner.Manner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.jspecify.annotations.Nullable;

/** Finds what differs between the two sides of a trial, and tells what is known and right from what is not. */
final class Comparison {

    /** Why the sides may end in different ways. */
    enum Explained {
        /** Spark's sorters cannot do without a page, or the array of their pointers. The plugin's writer can. */
        SPARKS_SORTER_HAD_NO_MEMORY,
        /**
         * Which step of a task an interrupt strikes depends on what the step is done with. Spark's sorters may even
         * lose records to one and end well. Spark kills the task all the same.
         */
        ONE_SIDE_NOTICED_THE_INTERRUPT,
        /** Spark's serialized writer keeps 24 bits of a partition's number, and Integer.MIN_VALUE becomes 0. */
        SPARK_CUTS_PARTITION_NUMBERS,
        /**
         * One of two things that fail strikes first. Spark's bypass writer opens a file and a stream for each
         * partition before the first record, where the plugin's needs none.
         */
        ANOTHER_THING_FAILS_FIRST
    }

    private final Trial trial;
    private final List<String> complaints = new ArrayList<>();
    private final Set<Explained> explained = EnumSet.noneOf(Explained.class);
    private String end;

    Comparison(Trial trial) {
        this.trial = trial;
        this.end = kind(null);
    }

    List<String> complaints() {
        return complaints;
    }

    Set<Explained> explained() {
        return explained;
    }

    /** Returns how the last task of Spark's side ended. */
    String end() {
        return end;
    }

    /** Compares how the map tasks ended. */
    void ofWrites(List<Written> stock, List<Written> ours) {
        for (int map = 0; map < Math.min(stock.size(), ours.size()); map++) {
            String task = "map task " + map + ": ";
            stock.get(map).complaints().forEach(complaint -> complaints.add(task + "of Spark: " + complaint));
            ours.get(map).complaints().forEach(complaint -> complaints.add(task + complaint));
            ofTask(task, stock.get(map), ours.get(map));
            end = kind(stock.get(map).failure());
        }
    }

    private void ofTask(String task, Written stock, Written ours) {
        MapOutput ofSpark = stock.output();
        MapOutput our = ours.output();
        if (trial.fault().isInterrupt()) {
            if ((ofSpark == null) != (our == null)) {
                explained.add(Explained.ONE_SIDE_NOTICED_THE_INTERRUPT);
            }
        } else if (ofSpark != null && our != null) {
            same(task + "records written", ofSpark.records(), our.records());
            same(
                    task + "row checksum",
                    ofSpark.status().checksumValue(),
                    our.status().checksumValue());
            same(task + "partitions", ofSpark.lengths().length, our.lengths().length);
        } else if (our != null) {
            if (isOutOfMemory(stock.failure())) {
                explained.add(Explained.SPARKS_SORTER_HAD_NO_MEMORY);
            } else {
                complaints.add(task + "Spark fails by " + root(stock.failure()) + ", the plugin does not");
            }
        } else if (ofSpark != null) {
            if (trial.partitioner().manner() == Manner.ANSWERS_LEAST
                    && root(ours.failure()) instanceof IndexOutOfBoundsException) {
                explained.add(Explained.SPARK_CUTS_PARTITION_NUMBERS);
            } else {
                complaints.add(task + "the plugin fails by " + root(ours.failure()) + ", Spark does not");
            }
        } else if (!kind(stock.failure()).equals(kind(ours.failure()))) {
            if (isOutOfMemory(stock.failure())) {
                explained.add(Explained.SPARKS_SORTER_HAD_NO_MEMORY);
            } else if (trial.thingsThatFail() > 1) {
                explained.add(Explained.ANOTHER_THING_FAILS_FIRST);
            } else {
                complaints.add(
                        task + "Spark fails by " + root(stock.failure()) + ", the plugin by " + root(ours.failure()));
            }
        }
    }

    /** Compares what reduce tasks read. */
    void ofReads(List<Read> stock, List<Read> ours) {
        for (int range = 0; range < stock.size(); range++) {
            Read ofSpark = stock.get(range);
            Read our = ours.get(range);
            String task = "reduce task " + range + ": ";
            same(task + "end", kind(ofSpark.failure()), kind(our.failure()));
            end = kind(ofSpark.failure());
            sameRecords(task + "against Spark's: ", ofSpark.records(), our.records());
            same(task + "records counted", ofSpark.counted(), our.counted());
        }
    }

    /** Compares what reduce tasks read with what was written, in the order in which it was. */
    void withInput(List<Read> ours) {
        List<List<byte[]>> expected = Expected.of(trial);
        for (int range = 0; range < expected.size(); range++) {
            Read our = ours.get(range);
            if (our.failure() != null) {
                complaints.add("reduce task " + range + " fails by " + root(our.failure()));
            }
            sameRecords("reduce task " + range + " against the input: ", expected.get(range), our.records());
        }
    }

    private void sameRecords(String what, List<byte[]> expected, List<byte[]> actual) {
        same(what + "number of records", expected.size(), actual.size());
        for (int record = 0; record < Math.min(expected.size(), actual.size()); record++) {
            if (!Arrays.equals(expected.get(record), actual.get(record))) {
                complaints.add(what + "record " + record + " is another");
                return;
            }
        }
    }

    private void same(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            complaints.add(what + ": " + actual + " instead of " + expected);
        }
    }

    private static boolean isOutOfMemory(@Nullable Throwable failure) {
        return root(failure) instanceof SparkOutOfMemoryError;
    }

    /** Spark's writers refuse a partition by what they do with it first; files fail by their class of the JDK. */
    private String kind(@Nullable Throwable failure) {
        Throwable root = root(failure);
        if (root == null) {
            return "none";
        }
        boolean refuses = root instanceof IndexOutOfBoundsException
                || root instanceof AssertionError
                || root instanceof IllegalArgumentException;
        if (refuses && trial.partitioner().manner().isOutOfRange()) {
            return "no such partition";
        }
        return root instanceof IOException && trial.fault().kind() == Fault.Kind.DIRECTORY_GONE
                ? "no directory"
                : root.getClass().getName();
    }

    private static @Nullable Throwable root(@Nullable Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
