package io.boltshuffle.spark.write;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.PartitionLimit;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.rows.RowFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.BypassMergeSortShuffleHandle;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.ShuffleBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which map tasks of this process write with {@link BoltShuffleWriter}, and creates their writers. Every
 * executor may decide for itself, because readers cannot tell the writers apart.
 *
 * <p><b>Threads:</b> safe from any.
 */
public final class MapWriters {
    private static final Logger log = LoggerFactory.getLogger(MapWriters.class);

    private static final String STORAGE_PLUGIN = "spark.shuffle.sort.io.plugin.class";
    private static final String SPARKS_STORAGE = "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";

    private static final String SPILL_AFTER_RECORDS = "spark.shuffle.spill.numElementsForceSpillThreshold";
    private static final String SPILL_AFTER_BYTES =
            "spark.shuffle.spill.maxSizeInBytesForSpillThreshold"; // from 4.1 on

    private final SparkConf conf;
    private final boolean forcesSpills;
    private final MemoryManager memory;
    private final AtomicLong heldInstead = new AtomicLong();
    private final BlockManager blocks;
    private final SerializerManager serializers;
    private final IndexShuffleBlockResolver resolver;
    private final WriteMeter meter;
    private final Encoding encoding;
    private final PartitionLimit limit;
    private final Optional<StockReason> neverOurs;
    private final int fileBufferBytes;
    private final boolean transfers;
    private final boolean syncs;
    private final boolean copiesRows;

    /** @param resolver the shuffle manager's, which its readers and Spark's clean-up use */
    public MapWriters(SparkEnv env, Settings settings, IndexShuffleBlockResolver resolver, WriteMeter meter) {
        this.conf = env.conf();
        this.forcesSpills = forcesSpills(conf);
        this.memory = env.memoryManager();
        this.blocks = env.blockManager();
        this.serializers = env.serializerManager();
        this.resolver = resolver;
        this.meter = meter;
        this.encoding = Encoding.of(conf, serializers.encryptionEnabled());
        this.limit = new PartitionLimit(
                settings.get(Options.WRITER_MAX_PARTITIONS),
                conf.getInt("spark.shuffle.sort.bypassMergeThreshold", 200));
        this.fileBufferBytes = Math.toIntExact(settings.get(Options.WRITER_FILE_BUFFER));
        this.transfers = conf.getBoolean("spark.file.transferTo", true);
        this.syncs = conf.getBoolean("spark.shuffle.sync", false);
        this.copiesRows = settings.get(Options.SQL_ROWS);
        this.neverOurs = neverOurs(settings);
        if (neverOurs.isEmpty()) {
            log.info(
                    "Map outputs of up to {} partitions are written by the plugin's writer, through {} bytes of each",
                    maxPartitions(),
                    bufferBytes());
        }
    }

    /**
     * Returns whether a user has the sorters of Spark's writers spill though there is memory. The bypass writer has
     * none.
     */
    private static boolean forcesSpills(SparkConf conf) {
        try {
            // Without a setting Spark spills after as many as these types can count.
            return conf.getInt(SPILL_AFTER_RECORDS, Integer.MAX_VALUE) < Integer.MAX_VALUE
                    || conf.getSizeAsBytes(SPILL_AFTER_BYTES, Long.MAX_VALUE) < Long.MAX_VALUE;
        } catch (NumberFormatException e) {
            return true; // Spark says what is wrong with it, if its release has that setting
        }
    }

    private Optional<StockReason> neverOurs(Settings settings) {
        if (!settings.get(Options.ENABLED) || !settings.get(Options.WRITER_ENABLED)) {
            return Optional.of(StockReason.DISABLED);
        }
        String storage = conf.get(STORAGE_PLUGIN, SPARKS_STORAGE);
        if (!storage.equals(SPARKS_STORAGE)) {
            log.info("Spark's own writers stay: {} is {}, which expects them", STORAGE_PLUGIN, storage);
            return Optional.of(StockReason.STORAGE_PLUGIN);
        }
        if (!encoding.known()) {
            log.info("Spark's own writers stay: {}", StockReason.CODEC.meaning());
            return Optional.of(StockReason.CODEC);
        }
        return Optional.empty();
    }

    /**
     * Returns the plugin's writer for a map task, or counts the reason why Spark writes it.
     *
     * @param handle any handle of the sort shuffle
     */
    public <K, V> Optional<ShuffleWriter<K, V>> writer(
            BaseShuffleHandle<K, V, ?> handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter reporter) {
        Optional<StockReason> reason = leftToSpark(handle, context);
        if (reason.isPresent()) {
            meter.leftToSpark(reason.get());
            return Optional.empty();
        }
        return Optional.of(new BoltShuffleWriter<>(
                this,
                handle.dependency(),
                mapId,
                new WriteFiles(blocks, context, reporter, fileBufferBytes, transfers, syncs),
                isBypassed(handle)));
    }

    private Optional<StockReason> leftToSpark(BaseShuffleHandle<?, ?, ?> handle, TaskContext context) {
        if (neverOurs.isPresent()) {
            return neverOurs;
        }
        ShuffleDependency<?, ?, ?> dependency = handle.dependency();
        if (dependency.mapSideCombine()) {
            return Optional.of(StockReason.MAP_SIDE_COMBINE);
        }
        if (forcesSpills && !isBypassed(handle)) {
            return Optional.of(StockReason.FORCED_SPILLS);
        }
        return mayHave(dependency.partitioner().numPartitions(), dependency.serializer(), context.taskMemoryManager())
                ? Optional.empty()
                : Optional.of(StockReason.PARTITIONS);
    }

    private static boolean isBypassed(BaseShuffleHandle<?, ?, ?> handle) {
        return handle instanceof BypassMergeSortShuffleHandle<?, ?>;
    }

    /**
     * Returns whether a map output of so many partitions is written here. With memory off the heap, a page does not
     * tell how much memory there is on the heap.
     */
    private boolean mayHave(int partitions, Serializer serializer, TaskMemoryManager task) {
        boolean accounted = serializer.supportsRelocationOfSerializedObjects()
                && encoding.kind() != Encoding.Kind.STREAMS
                && task.getTungstenMemoryMode() == MemoryMode.ON_HEAP;
        return accounted
                ? limit.allows(partitions, encoding.gatherBytes(), task.pageSizeBytes())
                : limit.allowsUnaccounted(partitions);
    }

    /**
     * The most partitions that a map output may have to be ours, with a serializer whose records may be reordered; 0 if
     * none is.
     */
    public int maxPartitions() {
        if (neverOurs.isPresent()) {
            return 0;
        }
        boolean mayBeMore = encoding.kind() != Encoding.Kind.STREAMS
                && memory.tungstenMemoryMode() == MemoryMode.ON_HEAP
                && !forcesSpills;
        return mayBeMore ? limit.largest(encoding.gatherBytes(), memory.pageSizeBytes()) : limit.largestUnaccounted();
    }

    /** Returns how many bytes of a partition are gathered at most before they are encoded; 0 if no output is ours. */
    public int bufferBytes() {
        return neverOurs.isPresent() ? 0 : encoding.gatherBytes();
    }

    PartitionEncoder encoder(int shuffleId, long mapId, int partitions) {
        return switch (encoding.kind()) {
            case PLAIN -> new PlainEncoder(encoding.gatherBytes());
            case LZ4 -> new Lz4Encoder(encoding.gatherBytes());
            case STREAMS ->
                new StreamEncoder(
                        serializers, new ShuffleBlockId(shuffleId, mapId, 0), partitions, encoding.gatherBytes());
        };
    }

    /** The format of a shuffle whose records are SQL's rows, unless Spark's serializer is to write them. */
    Optional<RowFormat> rowFormat(Serializer serializer) {
        return copiesRows ? RowFormat.of(serializer) : Optional.empty();
    }

    WriterMemory.Source memoryOf(TaskContext context, boolean bypassed) {
        return new WriterMemory.Source(
                memory, context.taskMemoryManager(), context.taskAttemptId(), bypassed, heldInstead);
    }

    SparkConf conf() {
        return conf;
    }

    IndexShuffleBlockResolver resolver() {
        return resolver;
    }

    WriteMeter meter() {
        return meter;
    }
}
