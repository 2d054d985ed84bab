package io.boltshuffle.examples;

import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Writes one shuffle and reads it again and again: {@code ShuffleRead <bytes> <partitions> <reads>}. Records are large
 * and random, and the program does nothing with them, so that a read consists mostly of fetching.
 */
public final class ShuffleRead {
    private static final int RECORD_BYTES = 32 << 10;

    private ShuffleRead() {}

    public static void main(String[] args) {
        Usage.require(args, 3, "ShuffleRead <bytes> <partitions> <reads>");
        long records = Long.parseLong(args[0]) / RECORD_BYTES;
        int partitions = Integer.parseInt(args[1]);
        int reads = Integer.parseInt(args[2]);
        SparkConf conf = new SparkConf()
                .setAppName("ShuffleRead")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.shuffle.compress", "false");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaPairRDD<Integer, byte[]> shuffled = spark.parallelize(
                            IntStream.range(0, partitions).boxed().toList(), partitions)
                    .flatMapToPair(map -> records(map, records / partitions))
                    .partitionBy(new HashPartitioner(partitions));
            for (int read = 0; read < reads; read++) {
                long bytes = shuffled.values().aggregate(0L, (sum, value) -> sum + value.length, Long::sum);
                if (bytes != records / partitions * partitions * RECORD_BYTES) {
                    throw new IllegalStateException("read " + bytes + " bytes of " + records + " records");
                }
            }
        }
    }

    private static Iterator<Tuple2<Integer, byte[]>> records(int map, long count) {
        Random random = new Random(map);
        return random.ints(count)
                .mapToObj(key -> {
                    byte[] value = new byte[RECORD_BYTES];
                    random.nextBytes(value);
                    return new Tuple2<>(key, value);
                })
                .iterator();
    }
}
