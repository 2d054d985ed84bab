package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Makes rows of a random key and random bytes, the same ones in each run. */
record KeyedRows(int maps, long rows) implements Serializable {
    static final int ROW_BYTES = 1 << 10;

    JavaPairRDD<Integer, byte[]> generate(JavaSparkContext spark) {
        return spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                .flatMapToPair(this::rowsOf);
    }

    private Iterator<Tuple2<Integer, byte[]>> rowsOf(int map) {
        SplittableRandom random = new SplittableRandom(map);
        return LongStream.range(rows * map / maps, rows * (map + 1) / maps)
                .mapToObj(row -> {
                    byte[] value = new byte[ROW_BYTES];
                    random.nextBytes(value);
                    return new Tuple2<>(random.nextInt(Integer.MAX_VALUE), value);
                })
                .iterator();
    }
}
