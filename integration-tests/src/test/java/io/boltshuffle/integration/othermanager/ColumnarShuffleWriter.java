package io.boltshuffle.integration.othermanager;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Serializes each partition in memory, and commits them as one output. */
final class ColumnarShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

    private final SparkEnv env;
    private final OutputFiles files;
    private final ShuffleDependency<K, V, ?> dependency;
    private final long mapId;
    private final ShuffleWriteMetricsReporter metrics;
    private long[] lengths = new long[0];

    ColumnarShuffleWriter(
            SparkEnv env,
            OutputFiles files,
            ShuffleDependency<K, V, ?> dependency,
            long mapId,
            ShuffleWriteMetricsReporter metrics) {
        this.env = env;
        this.files = files;
        this.dependency = dependency;
        this.mapId = mapId;
        this.metrics = metrics;
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        SerializerInstance serializer = dependency.serializer().newInstance();
        List<ByteArrayOutputStream> bytes = new ArrayList<>();
        List<SerializationStream> streams = new ArrayList<>();
        for (int partition = 0; partition < dependency.partitioner().numPartitions(); partition++) {
            bytes.add(new ByteArrayOutputStream());
            ShuffleBlockId block = new ShuffleBlockId(dependency.shuffleId(), mapId, partition);
            streams.add(serializer.serializeStream(env.serializerManager().wrapStream(block, bytes.get(partition))));
        }
        while (records.hasNext()) {
            Product2<K, V> record = records.next();
            SerializationStream stream = streams.get(dependency.partitioner().getPartition(record._1()));
            stream.writeKey(record._1(), ANY);
            stream.writeValue(record._2(), ANY);
            metrics.incRecordsWritten(1);
        }
        streams.forEach(SerializationStream::close);
        List<byte[]> partitions =
                bytes.stream().map(ByteArrayOutputStream::toByteArray).toList();
        lengths = partitions.stream().mapToLong(partition -> partition.length).toArray();
        files.commit(dependency.shuffleId(), mapId, partitions);
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        return success
                ? Option.apply(MapStatus.apply(
                        env.blockManager().shuffleServerId(), lengths, mapId, MapStatus.apply$default$4()))
                : Option.empty();
    }

    @Override
    public long[] getPartitionLengths() {
        return lengths;
    }
}
