package io.boltshuffle.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.spark.NeverWorseTest.Case;
import io.boltshuffle.spark.NeverWorseTest.Cost;
import io.boltshuffle.spark.NeverWorseTest.Watched;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Tuple2;

/** Measures what reading a shuffle costs others, in one process, where all blocks are files of its own. */
final class ReaderCosts {
    private static final int PARTITIONS = 4;
    private static final int MAPS = 20;
    private static final int ROWS = 20_000;

    /** Tasks run in this process, and no closure of theirs carries it. */
    private static final AtomicLong COUNTED = new AtomicLong();

    private ReaderCosts() {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        Watched.OPEN_FILES,
                        "files that tasks open before their first record is read",
                        with(Map.of(), (spark, directory) -> filesOpenAtTheFirstRecord(spark))),
                new Case(
                        Watched.OPEN_FILES,
                        "files that are open after tasks that read one record and left",
                        with(Map.of(), (spark, directory) -> filesOpenAfterATake(spark))),
                new Case(
                        Watched.MEMORY,
                        "tasks that leave after one record and keep memory of their sort",
                        with(
                                Map.of("spark.unsafe.exceptionOnMemoryLeak", "true"),
                                (spark, directory) -> tasksThatLeakMemory(spark))),
                new Case(
                        Watched.THREADS,
                        "threads that tasks start which read",
                        with(Map.of(), (spark, directory) -> threadsOfReadingTasks(spark))),
                new Case(
                        Watched.FAILURES,
                        "jobs that fail whose map output was cut short",
                        with(Map.of(), ReaderCosts::jobsThatFailAsAnOutputWasCutShort)),
                new Case(
                        Watched.FAILURES,
                        "attempts of tasks whose user's function throws at the first record",
                        with(Map.of(), (spark, directory) -> attemptsOfTasksThatThrow(spark))));
    }

    private interface SparkCost {
        long in(JavaSparkContext spark, Path directory) throws Exception;
    }

    private static Cost with(Map<String, String> settings, SparkCost cost) {
        return (shuffle, directory) -> {
            COUNTED.set(0);
            Path own = Files.createDirectories(directory.resolve(shuffle.name()));
            try (JavaSparkContext spark = shuffle.start(own, settings)) {
                return cost.in(spark, own);
            }
        };
    }

    private static JavaPairRDD<Integer, Integer> shuffled(JavaSparkContext spark) {
        return spark.parallelize(IntStream.range(0, ROWS).boxed().toList(), MAPS)
                .mapToPair(row -> new Tuple2<>(row, row))
                .partitionBy(new HashPartitioner(PARTITIONS));
    }

    private static long filesOpenAtTheFirstRecord(JavaSparkContext spark) {
        JavaPairRDD<Integer, Integer> shuffled = shuffled(spark);
        shuffled.count(); // loads classes
        long before = openFiles();
        shuffled.coalesce(1).foreachPartition(rows -> {
            rows.next();
            COUNTED.addAndGet(openFiles() - before);
        });
        return COUNTED.get();
    }

    /** Spark leaves such files to the garbage collector, which may run in the middle of one of the attempts. */
    private static long filesOpenAfterATake(JavaSparkContext spark) {
        JavaPairRDD<Integer, Integer> shuffled = shuffled(spark);
        shuffled.count();
        long most = Long.MIN_VALUE;
        for (int attempt = 0; attempt < 3; attempt++) {
            long before = openFiles();
            shuffled.foreachPartition(Iterator::next);
            most = Math.max(most, openFiles() - before);
        }
        return most;
    }

    /** Counts the files of shuffles that this process has open: others come and go with what ran before. */
    private static long openFiles() {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "only Linux tells which files are open");
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.filter(ReaderCosts::isOfAShuffle).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfAShuffle(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("/shuffle_");
        } catch (IOException e) { // it was closed meanwhile
            return false;
        }
    }

    private static long tasksThatLeakMemory(JavaSparkContext spark) {
        JavaPairRDD<Integer, Integer> sorted =
                shuffled(spark).repartitionAndSortWithinPartitions(new HashPartitioner(PARTITIONS));
        TaskEnds ends = TaskEnds.listeningTo(spark);
        try {
            sorted.foreachPartition(Iterator::next);
        } catch (Exception e) { // Scala declares none
            return Math.max(1, ends.failed(spark));
        }
        return ends.failed(spark);
    }

    /** A thread that is made by one that has a value here counts. */
    private static final InheritableThreadLocal<Boolean> STARTED = new InheritableThreadLocal<>() {
        @Override
        protected Boolean childValue(Boolean ofTheTask) {
            COUNTED.incrementAndGet();
            return ofTheTask;
        }
    };

    /** The first job marks the threads of tasks, which the second one has again. */
    private static long threadsOfReadingTasks(JavaSparkContext spark) {
        JavaPairRDD<Integer, Integer> shuffled = shuffled(spark);
        shuffled.foreachPartition(rows -> STARTED.set(true));
        COUNTED.set(0);
        shuffled.count();
        return COUNTED.get();
    }

    private static long jobsThatFailAsAnOutputWasCutShort(JavaSparkContext spark, Path directory) throws IOException {
        JavaPairRDD<Integer, Integer> shuffled = shuffled(spark);
        shuffled.count();
        try (Stream<Path> files = Files.walk(directory)) {
            Path output = files.filter(file -> file.getFileName().toString().endsWith(".data"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            try (RandomAccessFile bytes = new RandomAccessFile(output.toFile(), "rw")) {
                bytes.setLength(bytes.length() / 2);
            }
        }
        try {
            return shuffled.coalesce(1).count() == ROWS ? 0 : Long.MAX_VALUE;
        } catch (Exception e) { // Scala declares none
            return 1;
        }
    }

    private static long attemptsOfTasksThatThrow(JavaSparkContext spark) {
        TaskEnds ends = TaskEnds.listeningTo(spark);
        try {
            shuffled(spark).coalesce(1).foreachPartition(rows -> {
                rows.next();
                throw new IllegalStateException("of the user");
            });
        } catch (Exception e) { // Scala declares none
            return ends.failed(spark);
        }
        return Long.MAX_VALUE;
    }

    /** Counts tasks as they end. */
    private static final class TaskEnds extends SparkListener {
        private final AtomicLong failures = new AtomicLong();

        static TaskEnds listeningTo(JavaSparkContext spark) {
            TaskEnds listener = new TaskEnds();
            spark.sc().addSparkListener(listener);
            return listener;
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            failures.addAndGet(end.taskInfo().failed() ? 1 : 0);
        }

        long failed(JavaSparkContext spark) {
            try {
                spark.sc().listenerBus().waitUntilEmpty();
            } catch (Exception e) { // Scala declares none
                throw new IllegalStateException(e);
            }
            return failures.get();
        }
    }
}
