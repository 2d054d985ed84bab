package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.ShuffleSide.Read;
import io.boltshuffle.spark.differential.ShuffleSide.Written;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what differs between the two sides of a trial, and tells what is known and right from what is not. */
final class Comparison {
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
        if (ofSpark != null && our != null) {
            if (!trial.fault().isInterrupt()) {
                same(task + "records written", ofSpark.records(), our.records());
                same(
                        task + "row checksum",
                        ofSpark.status().checksumValue(),
                        our.status().checksumValue());
                same(task + "partitions", ofSpark.lengths().length, our.lengths().length);
            }
        } else {
            endAlike(task, root(stock.failure()), root(ours.failure()));
        }
    }

    /** Returns whether two tasks ended alike; if not, that is explained, or a complaint. */
    private boolean endAlike(String task, @Nullable Throwable stock, @Nullable Throwable ours) {
        if (kind(stock).equals(kind(ours))) {
            return true;
        }
        Stream.of(Explained.values())
                .filter(why -> why.explains(trial, stock, ours))
                .findFirst()
                .ifPresentOrElse(
                        explained::add,
                        () -> complaints.add(task + "Spark fails by " + stock + ", the plugin by " + ours));
        return false;
    }

    /** Compares what reduce tasks read. */
    void ofReads(List<Read> stock, List<Read> ours) {
        for (int range = 0; range < stock.size(); range++) {
            Read ofSpark = stock.get(range);
            Read our = ours.get(range);
            String task = "reduce task " + range + ": ";
            end = kind(ofSpark.failure());
            if (endAlike(task, root(ofSpark.failure()), root(our.failure()))) {
                sameRecords(task + "against Spark's: ", ofSpark.records(), our.records());
                same(task + "records counted", ofSpark.counted(), our.counted());
            }
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
