package io.boltshuffle.proof.bench.inspark;

import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Writes shuffles of random blocks, no two of them alike, of nearly one size: they are up to a sixteenth smaller.
 * Blocks of exactly one size would all lie alike in their pages, which real ones seldom do, and the cost of copying
 * bytes depends on that.
 */
final class BlockWriter {
    /** Kryo writes so many bytes around the bytes of a record. */
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
