package io.boltshuffle.spark;

import com.sun.management.UnixOperatingSystemMXBean;
import io.boltshuffle.spark.NeverWorseTest.Case;
import io.boltshuffle.spark.NeverWorseTest.Cost;
import io.boltshuffle.spark.NeverWorseTest.Shuffle;
import io.boltshuffle.spark.NeverWorseTest.Watched;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.storage.StorageLevel;
import scala.Function1;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Measures what writing a map output costs others, where Spark would use its bypass writer. */
final class WriterCosts {
    private static final int PARTITIONS = 100;
    private static final int RECORD_BYTES = 1 << 10;
    private static final long PAGE_BYTES = 256 << 10;
    private static final int CACHED_PARTITIONS = 64;
    private static final int CACHED_PARTITION_BYTES = 512 << 10;
    private static final int DEADLINE_SECONDS = 20;
    private static final long CROWDED_HEAP_MEBIBYTES = 400;

    /** Tasks run in this process, and no closure of theirs carries these. */
    private static final AtomicLong COUNTED = new AtomicLong();

    private static volatile CountDownLatch reached = new CountDownLatch(1);
    private static volatile CountDownLatch released = new CountDownLatch(1);
    private static volatile CountDownLatch writtenOn = new CountDownLatch(1);
    private static volatile CountDownLatch ended = new CountDownLatch(1);

    private WriterCosts() {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        Watched.MEMORY,
                        "cached partitions that are gone after a shuffle",
                        withMemory(40 << 20, WriterCosts::evicted)),
                new Case(
                        Watched.MEMORY,
                        "partitions that are not cached by the job that shuffles them",
                        withMemory(40 << 20, WriterCosts::notCached)),
                new Case(
                        Watched.MEMORY,
                        "bytes that another thread of the task is refused when it asks for its first page",
                        withMemory(4 << 20, spark -> refused(spark, true, PAGE_BYTES))),
                new Case(
                        Watched.MEMORY,
                        "bytes that an operator of the task is refused that wants most of the memory",
                        withMemory(4 << 20, spark -> refused(spark, false, 3 << 20))),
                new Case(
                        Watched.MEMORY,
                        "bytes that another task is refused that wants most of the memory",
                        withMemory(12 << 20, WriterCosts::refusedToAnotherTask)),
                new Case(
                        Watched.WAITING,
                        "outputs that wait for the memory of another task",
                        withMemory(12 << 20, WriterCosts::waitingOutputs)),
                new Case(
                        Watched.WAITING,
                        "tasks that wait for the memory of an output",
                        withMemory(12 << 20, WriterCosts::tasksThatWaitForAnOutput)),
                new Case(
                        Watched.WAITING,
                        "barrier stages whose tasks do not meet",
                        withMemory(12 << 20, WriterCosts::barriersNotMet)),
                new Case(
                        Watched.OPEN_FILES,
                        "files that are open when the last record is written",
                        withMemory(12 << 20, WriterCosts::filesOpenedInTheEnd)),
                new Case(Watched.THREADS, "threads that a task starts", withMemory(12 << 20, WriterCosts::threads)),
                new Case(
                        Watched.HEAP,
                        "programs that end without memory, beside objects that fill three fifths of the heap",
                        WriterCosts::programsThatEndWithoutMemory),
                new Case(
                        Watched.FAILURES,
                        "rows that are lost because a partitioner answers how many partitions there are",
                        withMemory(12 << 20, WriterCosts::lostRows)));
    }

    private interface SparkCost {
        long in(JavaSparkContext spark) throws Exception;
    }

    /** Runs a job in a Spark that has so much memory for execution and storage. */
    private static Cost withMemory(long bytes, SparkCost cost) {
        Map<String, String> settings = Map.of(
                "spark.serializer",
                KryoSerializer.class.getName(),
                "spark.memory.fraction",
                "0.5",
                "spark.testing.memory",
                String.valueOf(2 * bytes),
                "spark.testing.reservedMemory",
                "0",
                "spark.buffer.pageSize",
                String.valueOf(PAGE_BYTES),
                "spark.barrier.sync.timeout",
                String.valueOf(3 * DEADLINE_SECONDS));
        return (shuffle, directory) -> {
            COUNTED.set(0);
            reached = new CountDownLatch(1);
            released = new CountDownLatch(1);
            writtenOn = new CountDownLatch(1);
            ended = new CountDownLatch(1);
            try (JavaSparkContext spark = shuffle.start(directory, settings)) {
                return cost.in(spark);
            }
        };
    }

    private static long evicted(JavaSparkContext spark) {
        JavaRDD<byte[]> cached = cached(spark);
        cached.count();

        shuffle(spark, 4, task -> noise(5_000));

        return computedAgain(cached);
    }

    private static long notCached(JavaSparkContext spark) {
        JavaRDD<byte[]> cached = cached(spark);

        cached.flatMapToPair(bytes -> noise(bytes.length / RECORD_BYTES))
                .partitionBy(new HashPartitioner(PARTITIONS))
                .count();

        return computedAgain(cached);
    }

    private static JavaRDD<byte[]> cached(JavaSparkContext spark) {
        return spark.parallelize(IntStream.range(0, CACHED_PARTITIONS).boxed().toList(), CACHED_PARTITIONS)
                .map(index -> {
                    COUNTED.incrementAndGet();
                    return new byte[CACHED_PARTITION_BYTES];
                })
                .persist(StorageLevel.MEMORY_ONLY());
    }

    private static long computedAgain(JavaRDD<?> cached) {
        COUNTED.set(0);
        cached.count();
        return COUNTED.get();
    }

    private static long refused(JavaSparkContext spark, boolean beside, long wanted) {
        shuffle(
                spark,
                1,
                task -> watched(noise(6_000), count -> {
                    if (count % 50 == 0) {
                        Operator operator = new Operator(); // has asked for nothing yet
                        LongSupplier asking = () -> operator.acquireMemory(wanted);
                        long granted = beside
                                ? CompletableFuture.supplyAsync(asking::getAsLong)
                                        .join()
                                : asking.getAsLong();
                        operator.freeMemory(granted);
                        COUNTED.addAndGet(wanted - granted);
                    }
                }));
        return COUNTED.get();
    }

    /** Spark lets a task have less if more tasks hold memory. */
    private static long refusedToAnotherTask(JavaSparkContext spark) throws Exception {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> shuffle(
                spark,
                1,
                task -> watched(noise(10_000), count -> {
                    if (count == 4_000) {
                        reached.countDown();
                        await(released);
                    } else if (count == 9_000) {
                        writtenOn.countDown();
                        await(ended);
                    }
                })));
        await(reached);
        inATask(spark, () -> {
            Operator operator = new Operator();
            operator.acquireMemory(1 << 20);
            released.countDown();
            await(writtenOn);
            COUNTED.addAndGet((9 << 20) - operator.acquireMemory(9 << 20));
            operator.freeMemory(operator.getUsed());
            ended.countDown();
        });
        writing.get();
        return COUNTED.get();
    }

    private static long waitingOutputs(JavaSparkContext spark) throws Exception {
        CompletableFuture<Void> holding = CompletableFuture.runAsync(() -> inATask(spark, () -> {
            Operator operator = new Operator();
            operator.takeAll();
            reached.countDown();
            await(released);
            operator.freeMemory(operator.getUsed());
        }));
        await(reached);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> shuffle(spark, 1, task -> noise(5_000)));
        long waiting = unfinished(writing);
        released.countDown();
        holding.get();
        writing.get();
        return waiting;
    }

    private static long tasksThatWaitForAnOutput(JavaSparkContext spark) throws Exception {
        int records = 10_500; // nearly all of the memory
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> shuffle(
                spark,
                1,
                task -> watched(noise(records), count -> {
                    if (count == records) {
                        reached.countDown();
                        await(released);
                    }
                })));
        await(reached);
        CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> inATask(spark, () -> {
            Operator operator = new Operator();
            operator.acquireMemory(3 << 20); // what each of two tasks may have before Spark lets it spill
            operator.freeMemory(operator.getUsed());
        }));
        long waiting = unfinished(asking);
        released.countDown();
        writing.get();
        asking.get();
        return waiting;
    }

    private static long unfinished(CompletableFuture<?> work) throws InterruptedException, ExecutionException {
        try {
            work.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            return 0;
        } catch (TimeoutException e) {
            return 1;
        }
    }

    /** One task comes to the barrier with all memory in its hands, the other one after its records. */
    private static long barriersNotMet(JavaSparkContext spark) throws Exception {
        ClassTag<Integer> integers = ClassTag$.MODULE$.apply(Integer.class);
        ClassTag<byte[]> arrays = ClassTag$.MODULE$.apply(byte[].class);
        Function1<scala.collection.Iterator<Integer>, scala.collection.Iterator<Tuple2<Integer, byte[]>>> records =
                (Function1<scala.collection.Iterator<Integer>, scala.collection.Iterator<Tuple2<Integer, byte[]>>>
                                & Serializable)
                        ignored -> CollectionConverters.asScala(meeting());
        JavaPairRDD<Integer, byte[]> pairs = JavaPairRDD.fromRDD(
                spark.parallelize(List.of(0, 1), 2)
                        .rdd()
                        .barrier()
                        .mapPartitions(records, false, ClassTag$.MODULE$.apply(Tuple2.class)),
                integers,
                arrays);
        CompletableFuture<Void> shuffling = CompletableFuture.runAsync(
                () -> pairs.partitionBy(new HashPartitioner(PARTITIONS)).count());
        return unfinished(shuffling);
    }

    private static Iterator<Tuple2<Integer, byte[]>> meeting() {
        if (TaskContext.getPartitionId() == 1) {
            await(reached);
            return watched(noise(5_000), count -> {
                if (count == 5_000) {
                    BarrierTaskContext.get().barrier();
                }
            });
        }
        Operator operator = new Operator();
        operator.takeAll();
        return watched(noise(10), count -> {
            if (count == 10) {
                reached.countDown();
                BarrierTaskContext.get().barrier();
                operator.freeMemory(operator.getUsed());
            }
        });
    }

    private static long filesOpenedInTheEnd(JavaSparkContext spark) {
        int records = 2_000;
        shuffle(spark, 1, task -> noise(records)); // loads classes
        COUNTED.set(0);
        shuffle(
                spark,
                1,
                task -> watched(noise(records), count -> {
                    if (count == 1) {
                        COUNTED.addAndGet(-openFiles());
                    } else if (count == records) {
                        COUNTED.addAndGet(openFiles());
                    }
                }));
        return COUNTED.get();
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    /** A thread that is made by one that has a value here counts. */
    private static final InheritableThreadLocal<Boolean> STARTED = new InheritableThreadLocal<>() {
        @Override
        protected Boolean childValue(Boolean ofTheTask) {
            COUNTED.incrementAndGet();
            return ofTheTask;
        }
    };

    private static long threads(JavaSparkContext spark) {
        shuffle(
                spark,
                1,
                task -> watched(noise(2_000), count -> {
                    if (count == 1) {
                        STARTED.set(true); // the thread ends with this Spark
                    }
                }));
        return COUNTED.get();
    }

    private static long programsThatEndWithoutMemory(Shuffle shuffle, Path directory) throws Exception {
        Stream<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-opens"));
        Stream<String> program = Stream.of(
                "-Xmx" + CROWDED_HEAP_MEBIBYTES + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                CrowdedHeapProgram.class.getName(),
                shuffle.name(),
                directory.toString());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(Stream.of(Stream.of(java), options, program)
                        .flatMap(words -> words)
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0 ? 0 : 1;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Has two tasks write as much as Spark calls free, in the process of that case. */
    static void writeMuch(Shuffle shuffle, Path directory) throws Exception {
        long bytes = (CROWDED_HEAP_MEBIBYTES << 20) / 10 * 6;
        withMemory(bytes, spark -> {
                    shuffle(spark, 2, task -> noise((int) (bytes / 2 / RECORD_BYTES)));
                    return 0;
                })
                .of(shuffle, directory);
    }

    private static long lostRows(JavaSparkContext spark) {
        int rows = 10;
        Partitioner astray = new Partitioner() {
            @Override
            public int numPartitions() {
                return 17;
            }

            @Override
            public int getPartition(Object key) {
                return numPartitions();
            }
        };
        try {
            return rows
                    - spark.parallelize(IntStream.range(0, rows).boxed().toList(), 1)
                            .mapToPair(row -> new Tuple2<>(row, row))
                            .partitionBy(astray)
                            .count();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            return 0; // refused
        }
    }

    private interface Records extends Serializable {
        Iterator<Tuple2<Integer, byte[]>> of(int task);
    }

    private static void shuffle(JavaSparkContext spark, int tasks, Records records) {
        spark.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                .flatMapToPair(records::of)
                .partitionBy(new HashPartitioner(PARTITIONS))
                .count();
    }

    private interface InTask extends Serializable {
        void run();
    }

    private static void inATask(JavaSparkContext spark, InTask work) {
        spark.parallelize(List.of(0), 1).foreach(ignored -> work.run());
    }

    /** Records that do not compress. */
    private static Iterator<Tuple2<Integer, byte[]>> noise(int count) {
        Random random = new Random(count);
        return IntStream.range(0, count)
                .mapToObj(index -> {
                    byte[] value = new byte[RECORD_BYTES];
                    random.nextBytes(value);
                    return new Tuple2<>(index, value);
                })
                .iterator();
    }

    private interface Watch extends Serializable {
        void at(int count);
    }

    /** Tells before each record how many there are with it. Those before it have been written. */
    private static Iterator<Tuple2<Integer, byte[]>> watched(Iterator<Tuple2<Integer, byte[]>> records, Watch watch) {
        return new Iterator<>() {
            private int count;

            @Override
            public boolean hasNext() {
                return records.hasNext();
            }

            @Override
            public Tuple2<Integer, byte[]> next() {
                watch.at(++count);
                return records.next();
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(3 * DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody came");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Holds memory of its task, and gives none back for others. */
    private static final class Operator extends MemoryConsumer {
        Operator() {
            super(TaskContext.get().taskMemoryManager(), PAGE_BYTES, MemoryMode.ON_HEAP);
        }

        void takeAll() {
            long got;
            do {
                got = acquireMemory(1 << 20);
            } while (got > 0);
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) {
            return 0;
        }
    }
}
