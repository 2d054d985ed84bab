package io.boltshuffle.integration.othermanager;

import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockFetcherIterator;
import org.apache.spark.util.CompletionIterator;
import org.apache.spark.util.SystemClock;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;
import scala.runtime.BoxedUnit;

/** Fetches with Spark's iterator and the client of Spark's block manager, as the readers of accelerators do. */
record ColumnarShuffleReader<K, C>(
        SparkEnv env,
        ShuffleDependency<K, ?, C> dependency,
        Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks,
        TaskContext context,
        ShuffleReadMetricsReporter metrics)
        implements ShuffleReader<K, C> {

    @Override
    @SuppressWarnings("unchecked") // the dependency's serializer wrote records of the dependency's types
    public Iterator<Product2<K, C>> read() {
        SerializerInstance serializer = dependency.serializer().newInstance();
        Iterator<Tuple2<Object, Object>> records = new ShuffleBlockFetcherIterator(
                        context,
                        env.blockManager().blockStoreClient(),
                        env.blockManager(),
                        env.mapOutputTracker(),
                        blocks,
                        (block, stream) -> env.serializerManager().wrapStream(block, stream),
                        48L << 20,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        200L << 20,
                        10,
                        true,
                        false,
                        false,
                        "ADLER32",
                        metrics,
                        false,
                        new SystemClock())
                .toCompletionIterator()
                .flatMap(stream -> serializer.deserializeStream(stream._2()).asKeyValueIterator())
                .map(record -> {
                    metrics.incRecordsRead(1);
                    return record;
                });
        Iterator<Tuple2<Object, Object>> metered = CompletionIterator.apply(records, () -> {
            context.taskMetrics().mergeShuffleReadMetrics();
            return BoxedUnit.UNIT;
        });
        return (Iterator<Product2<K, C>>) (Iterator<?>) new InterruptibleIterator<>(context, metered);
    }
}
