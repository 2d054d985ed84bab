package io.boltshuffle.bench;

import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Shuffles whose blocks are all of one size, and random, so that no two are alike. */
final class BlockWriter {
    /** What Kryo writes around the bytes of a record. */
    private static final int OVERHEAD_BYTES = 12;

    private BlockWriter() {}

    static JavaPairRDD<Integer, byte[]> shuffle(JavaSparkContext spark, ShuffleShape shape, int hosts) {
        int maps = shape.mapsPerHost() * hosts;
        return spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                .flatMapToPair(map -> records(map, shape))
                .partitionBy(new HashPartitioner(shape.reducers()));
    }

    private static Iterator<Tuple2<Integer, byte[]>> records(int map, ShuffleShape shape) {
        Random random = new Random(map);
        return IntStream.range(0, shape.reducers())
                .mapToObj(reducer -> {
                    byte[] value = new byte[shape.blockBytes() - OVERHEAD_BYTES];
                    random.nextBytes(value);
                    return new Tuple2<>(reducer, value);
                })
                .iterator();
    }
}
