package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.Site.Checksums;
import io.boltshuffle.spark.write.WriterFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Product2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * One of the two shuffles of a trial: its map tasks write, then its reduce tasks read.
 *
 * <p><b>Ownership:</b> closing forgets the shuffle and deletes its files.
 */
final class ShuffleSide implements AutoCloseable {
    private static final ClassTag<Object> OBJECT = ClassTag$.MODULE$.Object();

    private final WriterFixture fixture;
    private final Trial trial;
    private final Writers writers;
    private final LocalDirectories directories;
    private final Set<Path> filesBefore;
    private final RowBasedChecksum[] rowChecksums;
    private final ShuffleDependency<Object, Object, Object> dependency;
    private final List<Written> written = new ArrayList<>();

    /** How a map task ended, and what was wrong with what it left. */
    record Written(
            @Nullable MapOutput output, @Nullable Throwable failure, boolean byPlugin, List<String> complaints) {}

    /** The records that a reduce task read, each as {@link Canonical} has it, and the failure that ended it early. */
    record Read(List<byte[]> records, @Nullable Throwable failure, long counted) {}

    ShuffleSide(WriterFixture fixture, Trial trial, Writers writers) {
        this.fixture = fixture;
        this.trial = trial;
        this.writers = writers;
        this.directories = new LocalDirectories(SparkEnv.get().blockManager().diskBlockManager());
        this.filesBefore = directories.files();
        this.rowChecksums = new RowBasedChecksum[trial.rowChecksums() ? partitions() : 0];
        RDD<Product2<Object, Object>> records = fixture.context()
                .<Product2<Object, Object>>parallelize(List.of(), trial.maps())
                .rdd();
        this.dependency = new ShuffleDependency<>(
                records,
                trial.partitioner(),
                trial.serializer().create(fixture.context().getConf()),
                Option.empty(),
                Option.empty(),
                false,
                new ShuffleWriteProcessor(),
                rowChecksums,
                false,
                false,
                OBJECT,
                OBJECT,
                OBJECT);
        tracker().registerShuffle(dependency.shuffleId(), trial.maps(), partitions());
    }

    private int partitions() {
        return trial.partitioner().numPartitions();
    }

    private static MapOutputTrackerMaster tracker() {
        return (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    }

    private IndexShuffleBlockResolver resolver() {
        return fixture.ours().shuffleBlockResolver();
    }

    /** Adds up what the rows of a partition are, whatever their order. */
    private static final class RowSum extends RowBasedChecksum {
        private static final long serialVersionUID = 1;

        @Override
        public long calculateRowChecksum(Object key, Object value) {
            return Arrays.hashCode(Canonical.of(key, value));
        }
    }

    /** Has one map task after the other write, until one fails. */
    List<Written> write() throws IOException {
        for (int map = 0; map < trial.maps(); map++) {
            Written last = write(map, fixture.newMapId());
            written.add(last);
            if (last.output() == null) {
                break;
            }
            tracker()
                    .registerMapOutput(
                            dependency.shuffleId(), map, last.output().status());
        }
        return written;
    }

    private Written write(int map, long mapId) throws IOException {
        for (int partition = 0; partition < rowChecksums.length; partition++) {
            rowChecksums[partition] = new RowSum();
        }
        Set<Path> before = directories.files();
        List<String> complaints = new ArrayList<>();
        TrialTask.End<MapOutput> end = TrialTask.run(false, task -> {
            Runnable giveBack = trial.pressure().begin(task);
            try {
                return write(map, mapId, task);
            } finally {
                directories.restore();
                giveBack.run();
                long kept = task.taskMemoryManager().getMemoryConsumptionForThisTask();
                if (writers.areThePlugins() && kept > 0) {
                    complaints.add("the writer kept " + kept + " bytes of execution memory");
                }
            }
        });
        if (end.leakedBytes() > 0 && writers.areThePlugins()) {
            complaints.add("the task left " + end.leakedBytes() + " bytes of execution memory");
        }
        MapOutput output = end.result();
        int shuffleId = dependency.shuffleId();
        if (output != null) {
            complaints.addAll(output.complaints(resolver(), shuffleId, checksumsOfFiles()));
        }
        Set<Path> left = new HashSet<>(directories.files());
        left.removeAll(before);
        String own = "shuffle_" + shuffleId + "_" + mapId + "_0.";
        left.removeIf(file -> output != null && file.getFileName().toString().startsWith(own));
        // What lies in a directory that is gone cannot be deleted.
        if (!left.isEmpty() && writers.areThePlugins() && trial.fault().kind() != Fault.Kind.DIRECTORY_GONE) {
            complaints.add("files were left: " + left);
        }
        return new Written(output, end.failure(), writers.areThePlugins(), complaints);
    }

    @SuppressWarnings("unchecked") // the handle is that of the dependency
    private MapOutput write(int map, long mapId, TaskContext task) throws IOException {
        ShuffleWriter<Object, Object> writer =
                writers.writer((BaseShuffleHandle<Object, Object, Object>) dependency.shuffleHandle(), mapId, task);
        Iterator<Product2<Object, Object>> records =
                trial.fault().in(trial.input().records(map), trial.input().count(), task, directories);
        try {
            writer.write(WriterFixture.asScala(records));
        } catch (Exception | Error e) {
            stopAfter(e, writer);
            throw e;
        }
        return new MapOutput(
                writer.getPartitionLengths(),
                writer.stop(true).get(),
                task.taskMetrics().shuffleWriteMetrics().recordsWritten(),
                task.taskMetrics().shuffleWriteMetrics().bytesWritten());
    }

    /**
     * Spark's serialized writer leaves the checksums of what it spilled, though it may compress or encrypt that anew
     * when it merges spills.
     */
    private Checksums checksumsOfFiles() {
        return writers.areThePlugins() ? trial.site().checksums() : Checksums.NONE;
    }

    /** Spark's tasks, too, fail by what failed first. */
    private static void stopAfter(Throwable failure, ShuffleWriter<Object, Object> writer) {
        try {
            writer.stop(false);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Has the partitions read, a range by each reduce task. */
    List<Read> read(SortShuffleManager manager) {
        List<Read> all = new ArrayList<>();
        int width = (partitions() + trial.ranges() - 1) / trial.ranges();
        for (int from = 0; from < partitions(); from += width) {
            all.add(read(manager, from, Math.min(partitions(), from + width)));
        }
        return all;
    }

    private Read read(SortShuffleManager manager, int from, int to) {
        List<byte[]> records = new ArrayList<>();
        TrialTask.End<Long> end = TrialTask.run(trial.batch(), task -> {
            var metrics = task.taskMetrics().createTempShuffleReadMetrics();
            scala.collection.Iterator<Product2<Object, Object>> read = manager.<Object, Object>getReader(
                            dependency.shuffleHandle(), 0, trial.maps(), from, to, task, metrics)
                    .read();
            while (read.hasNext()) {
                Product2<Object, Object> record = read.next();
                records.add(canonical(record._1(), record._2()));
            }
            return metrics.recordsRead();
        });
        Long counted = end.result();
        return new Read(records, end.failure(), counted == null ? records.size() : counted);
    }

    /** The key of a row is for the partitioner only: Spark's serializer does not write it. */
    static byte[] canonical(@Nullable Object key, @Nullable Object value) {
        return value instanceof UnsafeRow ? Canonical.of(value) : Canonical.of(key, value);
    }

    @Override
    public void close() {
        tracker().unregisterShuffle(dependency.shuffleId());
        fixture.stock().unregisterShuffle(dependency.shuffleId());
        directories.deleteAllBut(filesBefore);
    }
}
