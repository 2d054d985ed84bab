package io.boltshuffle.proof.soak.inspark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Makes rows that do not compress, so that a shuffle moves them as they are.
 *
 * @param perMap rows of each map task
 * @param bytes of each row
 */
record RandomRows(int maps, int perMap, int bytes, long seed) implements Serializable {

    JavaPairRDD<Integer, byte[]> on(SparkSession spark) {
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                .flatMapToPair(this::ofMap);
    }

    private Iterator<Tuple2<Integer, byte[]>> ofMap(int map) {
        Random random = new Random(seed * maps + map);
        return IntStream.range(0, perMap)
                .mapToObj(row -> {
                    byte[] value = new byte[bytes];
                    random.nextBytes(value);
                    return new Tuple2<>(random.nextInt(), value);
                })
                .iterator();
    }
}
