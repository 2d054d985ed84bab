package io.boltshuffle.spark.read;

import io.boltshuffle.spark.rows.RowFormat;
import io.boltshuffle.spark.rows.RowIterator;
import java.io.InputStream;
import java.util.Optional;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.internal.config.package$;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockFetcherIterator;
import org.apache.spark.util.CompletionIterator;
import org.apache.spark.util.SystemClock;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;
import scala.runtime.BoxedUnit;

/**
 * Reads the blocks of one reduce task as Spark's own reader does, but fetches with another client. Fetching, retry,
 * spilling to disk, checksums and corruption checks are those of Spark's {@link ShuffleBlockFetcherIterator}.
 *
 * <p><b>Threads:</b> confined to the task's thread.
 */
public final class BoltShuffleReader<K, C> implements ShuffleReader<K, C> {
    private static final package$ CONFIG = package$.MODULE$;
    /** The size of a row buffer, which is the default block size of Spark's LZ4 codec. */
    private static final int ROW_BUFFER_BYTES = 32 << 10;

    private final SparkEnv env;
    private final BlockStoreClient client;
    private final ShuffleDependency<K, ?, C> dependency;
    private final Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocksByAddress;
    private final long maxBytesInFlight;
    private final boolean batchAllowed;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;
    private final boolean copiesRows;

    /**
     * @param maxBytesInFlight how many bytes may be on their way or waiting to be read
     * @param batchAllowed neighbouring blocks of a map output may be fetched as one, if settings and serializer allow
     *     it, too
     * @param copiesRows whether SQL's rows are read without Spark's serializer
     */
    public BoltShuffleReader(
            SparkEnv env,
            BlockStoreClient client,
            ShuffleDependency<K, ?, C> dependency,
            Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocksByAddress,
            long maxBytesInFlight,
            boolean batchAllowed,
            TaskContext context,
            ShuffleReadMetricsReporter metrics,
            boolean copiesRows) {
        this.env = env;
        this.client = client;
        this.dependency = dependency;
        this.blocksByAddress = blocksByAddress;
        this.maxBytesInFlight = maxBytesInFlight;
        this.batchAllowed = batchAllowed;
        this.context = context;
        this.metrics = metrics;
        this.copiesRows = copiesRows;
    }

    @Override
    public Iterator<Product2<K, C>> read() {
        Iterator<Tuple2<Object, Object>> metered = CompletionIterator.apply(records(), () -> {
            context.taskMetrics().mergeShuffleReadMetrics();
            return BoxedUnit.UNIT;
        });
        // Both sides are interruptible, because combining consumes all of its input before it returns the first record.
        Iterator<Product2<K, C>> combined = combined(dependency, new InterruptibleIterator<>(context, metered));
        return combined instanceof InterruptibleIterator ? combined : new InterruptibleIterator<>(context, combined);
    }

    private Iterator<Tuple2<Object, Object>> records() {
        Optional<RowFormat> rows = copiesRows ? RowFormat.of(dependency.serializer()) : Optional.empty();
        if (rows.isPresent()) {
            return new RowIterator(fetchedStreams(), rows.get().fields(), metrics, ROW_BUFFER_BYTES);
        }
        SerializerInstance serializer = dependency.serializer().newInstance();
        return fetchedStreams()
                .flatMap(stream -> serializer.deserializeStream(stream._2()).asKeyValueIterator())
                .map(record -> {
                    metrics.incRecordsRead(1);
                    return record;
                });
    }

    private Iterator<Tuple2<BlockId, InputStream>> fetchedStreams() {
        SparkConf conf = env.conf();
        return new ShuffleBlockFetcherIterator(
                        context,
                        client,
                        env.blockManager(),
                        env.mapOutputTracker(),
                        blocksByAddress,
                        (blockId, stream) -> env.serializerManager().wrapStream(blockId, stream),
                        maxBytesInFlight,
                        (int) conf.get(CONFIG.REDUCER_MAX_REQS_IN_FLIGHT()),
                        (int) conf.get(CONFIG.REDUCER_MAX_BLOCKS_IN_FLIGHT_PER_ADDRESS()),
                        (long) conf.get(CONFIG.MAX_REMOTE_BLOCK_SIZE_FETCH_TO_MEM()),
                        (int) conf.get(CONFIG.SHUFFLE_MAX_ATTEMPTS_ON_NETTY_OOM()),
                        (boolean) conf.get(CONFIG.SHUFFLE_DETECT_CORRUPT()),
                        (boolean) conf.get(CONFIG.SHUFFLE_DETECT_CORRUPT_MEMORY()),
                        (boolean) conf.get(CONFIG.SHUFFLE_CHECKSUM_ENABLED()),
                        conf.get(CONFIG.SHUFFLE_CHECKSUM_ALGORITHM()),
                        metrics,
                        batchAllowed && batchPossible(conf),
                        new SystemClock())
                .toCompletionIterator();
    }

    /**
     * Returns whether the concatenated bytes of blocks can be read as one, so that the blocks can be fetched as one.
     */
    private boolean batchPossible(SparkConf conf) {
        boolean concatenable = !(boolean) conf.get(CONFIG.SHUFFLE_COMPRESS())
                || CompressionCodec$.MODULE$.supportsConcatenationOfSerializedStreams(
                        CompressionCodec$.MODULE$.createCodec(conf));
        return concatenable
                && dependency.serializer().supportsRelocationOfSerializedObjects()
                && !(boolean) conf.get(CONFIG.SHUFFLE_USE_OLD_FETCH_PROTOCOL())
                && !(boolean) conf.get(CONFIG.IO_ENCRYPTION_ENABLED());
    }

    /** Sorts or aggregates as the dependency asks. Sorting includes aggregation. */
    private <V> Iterator<Product2<K, C>> combined(
            ShuffleDependency<K, V, C> dependency, Iterator<Tuple2<Object, Object>> records) {
        Option<Aggregator<K, V, C>> aggregator = dependency.aggregator();
        if (dependency.keyOrdering().isDefined()) {
            return dependency.mapSideCombine()
                    ? sorted(dependency, aggregator.map(BoltShuffleReader::ofCombined), records)
                    : sorted(dependency, aggregator, records);
        }
        if (aggregator.isEmpty()) {
            return typed(records);
        }
        return typed(
                dependency.mapSideCombine()
                        ? aggregator.get().combineCombinersByKey(typed(records), context)
                        : aggregator.get().combineValuesByKey(typed(records), context));
    }

    private <V> Iterator<Product2<K, C>> sorted(
            ShuffleDependency<K, ?, C> dependency,
            Option<Aggregator<K, V, C>> aggregator,
            Iterator<Tuple2<Object, Object>> records) {
        return SparkCompat.externalSorter(
                        context, aggregator, dependency.keyOrdering().get(), dependency.serializer())
                .insertAllAndUpdateMetrics(typed(records));
    }

    /** Returns the aggregator for values that the map side has already combined. */
    private static <K, C> Aggregator<K, C, C> ofCombined(Aggregator<K, ?, C> aggregator) {
        return new Aggregator<>(combiner -> combiner, aggregator.mergeCombiners(), aggregator.mergeCombiners());
    }

    @SuppressWarnings("unchecked") // the dependency's serializer wrote records of the dependency's types
    private static <T> Iterator<T> typed(Iterator<? extends Product2<?, ?>> records) {
        return (Iterator<T>) records;
    }
}
