package io.boltshuffle.spark.write;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.BoltShuffleManager;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** A Spark in this process, in whose tasks writers write what a test wants, and are looked at afterwards. */
public final class WriterFixture implements AutoCloseable {
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

    private static volatile @Nullable Callable<?> work; // of the task that runs in this process
    private static volatile @Nullable Object result;

    private final JavaSparkContext context;
    private final SortShuffleManager stock;
    private final Path directory;
    private long nextMapId = 1_000;

    /** An output as it was committed. */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares outputs as a whole
    record Output(byte[] data, long[] lengths, List<Byte> checksumFile, long diskBytesSpilled, long peakBytes) {

        byte[] partition(int index) {
            int from = Math.toIntExact(Arrays.stream(lengths, 0, index).sum());
            return Arrays.copyOfRange(data, from, from + Math.toIntExact(lengths[index]));
        }
    }

    public WriterFixture(Path directory, Map<String, String> settings) {
        this.directory = directory;
        SparkConf conf = new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("writer-fixture")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.local.dir", directory.toString())
                .set("spark.unsafe.exceptionOnMemoryLeak", "true")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName());
        settings.forEach(conf::set);
        context = new JavaSparkContext(conf);
        stock = new SortShuffleManager(context.getConf());
    }

    public BoltShuffleManager ours() {
        return (BoltShuffleManager) SparkEnv.get().shuffleManager();
    }

    public SortShuffleManager stock() {
        return stock;
    }

    public JavaSparkContext context() {
        return context;
    }

    Settings settings() {
        Map<String, String> properties = new HashMap<>();
        Arrays.stream(context.getConf().getAll()).forEach(entry -> properties.put(entry._1(), entry._2()));
        return Settings.parse(properties);
    }

    /** A shuffle by hash with Spark's serializer for {@code spark.serializer}. */
    ShuffleDependency<Object, Object, Object> shuffle(int partitions) {
        return shuffle(partitions, SparkEnv.get().serializer());
    }

    ShuffleDependency<Object, Object, Object> shuffle(int partitions, Serializer serializer) {
        return shuffle(new HashPartitioner(partitions), serializer);
    }

    ShuffleDependency<Object, Object, Object> shuffle(Partitioner partitioner, Serializer serializer) {
        JavaPairRDD<Object, Object> nothing =
                context.parallelize(List.<Tuple2<Object, Object>>of(), 1).mapToPair(pair -> pair);
        ShuffledRDD<Object, Object, Object> shuffled = new ShuffledRDD<>(nothing.rdd(), partitioner, ANY, ANY, ANY);
        shuffled.setSerializer(serializer);
        @SuppressWarnings("unchecked")
        ShuffleDependency<Object, Object, Object> dependency = (ShuffleDependency<Object, Object, Object>)
                shuffled.dependencies().head();
        return dependency;
    }

    static WriterMemory.Source memory(TaskContext task) {
        return new WriterMemory.Source(
                SparkEnv.get().memoryManager(),
                task.taskMemoryManager(),
                task.taskAttemptId(),
                /* bypassed= */ false,
                new AtomicLong());
    }

    public long newMapId() {
        return nextMapId++;
    }

    /** Has {@code records} written in a task, and reads what was committed. */
    Output write(
            SortShuffleManager manager,
            ShuffleDependency<Object, Object, Object> dependency,
            long mapId,
            Iterable<? extends Product2<Object, Object>> records) {
        return inTask(() -> writeHere(manager, dependency, mapId, records));
    }

    /** Writes as {@link #write} does, in the task that runs already. */
    Output writeHere(
            SortShuffleManager manager,
            ShuffleDependency<Object, Object, Object> dependency,
            long mapId,
            Iterable<? extends Product2<Object, Object>> records)
            throws IOException {
        TaskContext task = TaskContext.get();
        ShuffleWriter<Object, Object> writer = writer(manager, dependency, mapId);
        try {
            writer.write(asScala(records.iterator()));
        } catch (Exception | Error e) {
            writer.stop(false);
            throw e;
        }
        writer.stop(true);
        return committed(
                dependency.shuffleId(),
                mapId,
                writer.getPartitionLengths(),
                task.taskMetrics().diskBytesSpilled(),
                task.taskMetrics().peakExecutionMemory());
    }

    static ShuffleWriter<Object, Object> writer(
            SortShuffleManager manager, ShuffleDependency<Object, Object, Object> dependency, long mapId) {
        TaskContext task = TaskContext.get();
        return manager.getWriter(
                dependency.shuffleHandle(), mapId, task, task.taskMetrics().shuffleWriteMetrics());
    }

    /** Returns why a task that wrote {@code dependency} would do so by Spark's writer; empty if it is ours to write. */
    Optional<StockReason> leftToSpark(ShuffleDependency<Object, Object, Object> dependency) {
        return inTask(() -> {
            List<StockReason> counted = new ArrayList<>();
            WriteMeter meter = new WriteMeter() {
                @Override
                public void written(MapOutput figures) {
                    throw new AssertionError("nothing is written here");
                }

                @Override
                public void leftToSpark(StockReason reason) {
                    counted.add(reason);
                }
            };
            TaskContext task = TaskContext.get();
            @SuppressWarnings("unchecked")
            BaseShuffleHandle<Object, Object, Object> handle =
                    (BaseShuffleHandle<Object, Object, Object>) dependency.shuffleHandle();
            boolean ours = new MapWriters(SparkEnv.get(), settings(), ours().shuffleBlockResolver(), meter)
                    .writer(handle, 0, task, task.taskMetrics().shuffleWriteMetrics())
                    .isPresent();
            if (counted.size() != (ours ? 0 : 1)) {
                throw new AssertionError("counted as " + counted);
            }
            return counted.stream().findFirst();
        });
    }

    @SuppressWarnings("unchecked")
    public static scala.collection.Iterator<Product2<Object, Object>> asScala(
            Iterator<? extends Product2<Object, Object>> records) {
        return (scala.collection.Iterator<Product2<Object, Object>>)
                (scala.collection.Iterator<?>) CollectionConverters.asScala(records);
    }

    /** Runs something as the only task of a job. */
    @SuppressWarnings({"unchecked", "NullAway"}) // the task has set the result, or the job has failed
    <T> T inTask(Callable<T> task) {
        return (T) inTasks(1, task);
    }

    /** Runs something in so many tasks of a job, two of them at once. Returns what one of them returned. */
    @Nullable Object inTasks(int tasks, Callable<?> each) {
        work = each;
        try {
            context.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                    .foreach(one -> {
                        Callable<?> todo = work;
                        result = todo == null ? null : todo.call();
                    });
            return result;
        } finally {
            work = null;
            result = null;
        }
    }

    private Output committed(int shuffleId, long mapId, long[] lengths, long spilled, long peak) throws IOException {
        IndexShuffleBlockResolver resolver = ours().shuffleBlockResolver();
        File data = resolver.getDataFile(shuffleId, mapId);
        File index = resolver.getIndexFile(shuffleId, mapId, scala.Option.empty());
        long[] offsets = longs(Files.readAllBytes(index.toPath()));
        for (int partition = 0; partition < lengths.length; partition++) {
            if (offsets[partition + 1] - offsets[partition] != lengths[partition]) {
                throw new AssertionError("the index file and the writer disagree on partition " + partition);
            }
        }
        File checksums = resolver.getChecksumFile(shuffleId, mapId, "ADLER32", scala.Option.empty());
        return new Output(
                data.exists() ? Files.readAllBytes(data.toPath()) : new byte[0],
                lengths.clone(),
                checksums.exists() ? bytes(Files.readAllBytes(checksums.toPath())) : List.of(),
                spilled,
                peak);
    }

    private static List<Byte> bytes(byte[] array) {
        List<Byte> list = new ArrayList<>(array.length);
        for (byte value : array) {
            list.add(value);
        }
        return list;
    }

    private static long[] longs(byte[] bytes) {
        long[] values = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(values);
        return values;
    }

    /** The records of a partition, in order, as a reader sees them. */
    List<Tuple2<Object, Object>> read(ShuffleDependency<?, ?, ?> dependency, byte[] partition) {
        if (partition.length == 0) {
            return List.of();
        }
        List<Tuple2<Object, Object>> records = new ArrayList<>();
        try (InputStream stream = decoded(partition)) {
            scala.collection.Iterator<Tuple2<Object, Object>> iterator = dependency
                    .serializer()
                    .newInstance()
                    .deserializeStream(stream)
                    .asKeyValueIterator();
            while (iterator.hasNext()) {
                Tuple2<Object, Object> pair = iterator.next();
                records.add(new Tuple2<>(pair._1(), pair._2()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return records;
    }

    /** The rows of a partition, in order, as Spark's serializer of rows reads them. */
    List<UnsafeRow> rows(ShuffleDependency<?, ?, ?> dependency, byte[] partition) {
        List<UnsafeRow> rows = new ArrayList<>();
        if (partition.length > 0) {
            scala.collection.Iterator<Tuple2<Object, Object>> iterator = dependency
                    .serializer()
                    .newInstance()
                    .deserializeStream(decoded(partition))
                    .asKeyValueIterator();
            while (iterator.hasNext()) {
                rows.add(((UnsafeRow) iterator.next()._2()).copy()); // all are one object
            }
        }
        return rows;
    }

    private static InputStream decoded(byte[] partition) {
        return SparkEnv.get()
                .serializerManager()
                .wrapStream(new ShuffleBlockId(0, 0, 0), new BufferedInputStream(new ByteArrayInputStream(partition)));
    }

    /** All files below Spark's local directories. */
    Set<Path> files() {
        try (Stream<Path> files = Files.walk(directory)) {
            return new HashSet<>(files.filter(Files::isRegularFile).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stock.stop();
        context.close();
    }
}
