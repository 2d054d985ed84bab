package io.boltshuffle.spark.write;

import io.boltshuffle.spark.rows.RowFormat;
import java.io.File;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleWriter;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Writes the output of one map task. It serializes each record at once into the buffer of its partition, and writes the
 * output once, to one file. It keeps no record, needs no file for each partition and sorts nothing.
 *
 * <p>It commits what Spark's writers would commit: data, index and checksum files through Spark's own resolver.
 *
 * <p><b>Threads:</b> confined to the task's.
 *
 * <p><b>Ownership:</b> everything that {@link #write} opens is closed when it returns or throws.
 */
final class BoltShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private static final ClassTag<Object> OBJECT = ClassTag$.MODULE$.Object();
    private static final long[] NO_CHECKSUMS = {};

    /**
     * The most partitions for which each has a serialization stream, as in Spark's bypass writer. A single stream for
     * all partitions has to be flushed after each record.
     */
    private static final int FEW_PARTITIONS = 16;

    private final MapWriters services;
    private final ShuffleDependency<K, V, ?> dependency;
    private final long mapId;
    private final WriteFiles files;
    private final boolean bypassed;
    private final Partitioner partitioner;
    private final int partitions;
    private final @Nullable RowChecksums rowChecksums;

    private long @Nullable [] lengths;
    private @Nullable MapStatus status;
    private boolean stopped;

    /** @param bypassed whether Spark would write this output with its bypass writer */
    BoltShuffleWriter(
            MapWriters services,
            ShuffleDependency<K, V, ?> dependency,
            long mapId,
            WriteFiles files,
            boolean bypassed) {
        this.services = services;
        this.dependency = dependency;
        this.mapId = mapId;
        this.files = files;
        this.bypassed = bypassed;
        this.partitioner = dependency.partitioner();
        this.partitions = partitioner.numPartitions();
        this.rowChecksums = SparkVersions.rowChecksums(dependency);
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        long start = System.nanoTime();
        PartitionTotals totals = new PartitionTotals(partitions, services.conf());
        if (!records.hasNext()) {
            commit(totals.lengths(), NO_CHECKSUMS, null);
            services.meter().written(new WriteMeter.MapOutput(0, 0, 0, System.nanoTime() - start));
            return;
        }
        PartitionEncoder encoder = services.encoder(dependency.shuffleId(), mapId, partitions);
        long count;
        long bytes;
        PartitionBuffers buffers =
                new PartitionBuffers(files, encoder, totals, partitions, services.memoryOf(files.context(), bypassed));
        try (buffers) {
            Optional<RowFormat> rows = services.rowFormat(dependency.serializer());
            count = rows.isPresent()
                    ? writeRows(records, new RowAppender(buffers, rows.get()))
                    : writeThroughStreams(records, buffers);
            bytes = writeOutAndCommit(buffers, totals);
        } finally {
            files.context().taskMetrics().incPeakExecutionMemory(buffers.peakBytes());
        }
        files.reporter().incRecordsWritten(count);
        files.reporter().incBytesWritten(bytes);
        services.meter().written(new WriteMeter.MapOutput(count, bytes, buffers.spills(), System.nanoTime() - start));
    }

    /**
     * SQL's rows need no serializer: their bytes are copied. Their loop is their own, not {@link #writeAll}: a third
     * kind of sink there would keep the compiler from inlining any.
     */
    private long writeRows(Iterator<Product2<K, V>> records, RowAppender rows) throws IOException {
        RowChecksums checksums = rowChecksums;
        long count = 0;
        while (records.hasNext()) {
            Product2<K, V> row = records.next();
            K key = row._1();
            V value = row._2();
            int partition = partitionOf(key);
            rows.append(partition, value);
            if (checksums != null) {
                checksums.update(partition, key, value);
            }
            count++;
        }
        rows.count();
        return count;
    }

    /** Refuses a partition that does not exist, as the arrays of Spark's bypass writer do. */
    private int partitionOf(K key) {
        int partition = partitioner.getPartition(key);
        if (partition < 0 || partition >= partitions) {
            throw new ArrayIndexOutOfBoundsException(
                    "Index " + partition + " out of bounds for length " + partitions + ", the number of partitions");
        }
        return partition;
    }

    private long writeThroughStreams(Iterator<Product2<K, V>> records, PartitionBuffers buffers) throws IOException {
        SerializerInstance serializer = dependency.serializer().newInstance();
        return partitions > FEW_PARTITIONS && mayShareAStream()
                ? writeThroughOneStream(records, serializer, buffers)
                : writeThroughAStreamEach(records, serializer, buffers);
    }

    /**
     * Returns whether one stream may serve all partitions. Spark's serialized writer has one for every serializer that
     * says that its records may be put in another order. Its bypass writer has a stream for each partition, with which
     * a serializer that is wrong about itself does no harm, so there only Spark's own serializers are believed.
     */
    private boolean mayShareAStream() {
        Serializer serializer = dependency.serializer();
        return serializer.supportsRelocationOfSerializedObjects()
                && (!bypassed || serializer.getClass() == KryoSerializer.class || RowFormat.isOfRows(serializer));
    }

    private long writeThroughOneStream(
            Iterator<Product2<K, V>> records, SerializerInstance serializer, PartitionBuffers buffers)
            throws IOException {
        try (SharedStream stream = new SharedStream(serializer, buffers)) {
            return writeAll(records, buffers, stream::write);
        }
    }

    private long writeThroughAStreamEach(
            Iterator<Product2<K, V>> records, SerializerInstance serializer, PartitionBuffers buffers)
            throws IOException {
        try (PartitionStreams streams = new PartitionStreams(serializer, buffers, partitions)) {
            long count = writeAll(records, buffers, (partition, key, value) -> {
                SerializationStream stream = streams.of(partition);
                stream.writeKey(key, OBJECT);
                stream.writeValue(value, OBJECT);
            });
            streams.finish();
            return count;
        }
    }

    /** Serializes one record into the buffer of its partition. */
    private interface RecordSink {
        void write(int partition, Object key, Object value);
    }

    private long writeAll(Iterator<Product2<K, V>> records, PartitionBuffers buffers, RecordSink sink)
            throws IOException {
        RowChecksums checksums = rowChecksums;
        long count = 0;
        while (records.hasNext()) {
            Product2<K, V> row = records.next();
            K key = row._1();
            V value = row._2();
            int partition = partitionOf(key);
            buffers.giveUpIfWanted();
            sink.write(partition, key, value);
            if (checksums != null) {
                checksums.update(partition, key, value);
            }
            count++;
        }
        return count;
    }

    private long writeOutAndCommit(PartitionBuffers buffers, PartitionTotals totals) throws IOException {
        File data = services.resolver().getDataFile(dependency.shuffleId(), mapId);
        File unfinished = services.resolver().createTempFile(data);
        try {
            buffers.writeOut(unfinished);
            long bytes = totals.sum();
            commit(totals.lengths(), totals.checksums(), unfinished);
            return bytes;
        } finally {
            WriteFiles.discard(unfinished); // a commit leaves nothing of it
        }
    }

    /**
     * Commits. Spark overwrites {@code partitionLengths} with those of another attempt with the same map id if that has
     * already committed.
     */
    private void commit(long[] partitionLengths, long[] checksums, @Nullable File data) {
        services.resolver()
                .writeMetadataFileAndCommit(dependency.shuffleId(), mapId, partitionLengths, checksums, data);
        lengths = partitionLengths;
        status = SparkVersions.mapStatus(
                files.blocks().shuffleServerId(),
                partitionLengths,
                mapId,
                rowChecksums == null ? 0 : rowChecksums.value());
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        if (stopped || !success) {
            stopped = true;
            return Option.empty();
        }
        stopped = true;
        if (status == null) {
            throw new IllegalStateException("stop(true) was called though nothing had been written");
        }
        return Option.apply(status);
    }

    @Override
    @SuppressWarnings("NullAway") // Spark's writers, too, have none before they have written
    public long[] getPartitionLengths() {
        return lengths;
    }
}
