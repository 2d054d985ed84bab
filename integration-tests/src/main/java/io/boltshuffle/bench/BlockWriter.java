package io.boltshuffle.bench;

import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Shuffles of random blocks, no two of them alike, that are nearly of one size: up to a sixteenth smaller. Blocks of
 * just one size would all lie alike in their pages, as real ones seldom do, and what it costs to copy bytes depends on
 * that.
 */
final class BlockWriter {
    /** What Kryo writes around the bytes of a record. */
    private static final int OVERHEAD_BYTES = 12;

    private static final int SHARE_THAT_VARIES = 16;
    private static final int MOST_THAT_VARIES = 4096;

    private BlockWriter() {}

    static JavaPairRDD<Integer, byte[]> shuffle(JavaSparkContext spark, ShuffleShape shape, int hosts) {
        int maps = shape.mapsPerHost() * hosts;
        return spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                .flatMapToPair(map -> records(map, shape))
                .partitionBy(new HashPartitioner(shape.reducers()));
    }

    private static Iterator<Tuple2<Integer, byte[]>> records(int map, ShuffleShape shape) {
        Random random = new Random(map);
        int varying = Math.min(MOST_THAT_VARIES, shape.blockBytes() / SHARE_THAT_VARIES);
        return IntStream.range(0, shape.reducers())
                .mapToObj(reducer -> {
                    byte[] value = new byte[shape.blockBytes() - OVERHEAD_BYTES - random.nextInt(varying)];
                    random.nextBytes(value);
                    return new Tuple2<>(reducer, value);
                })
                .iterator();
    }
}
