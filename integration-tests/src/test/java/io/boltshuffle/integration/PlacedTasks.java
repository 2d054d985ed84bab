package io.boltshuffle.integration;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** Tasks on a host of the test's choice, and the bytes that they hand each other. */
final class PlacedTasks {
    private PlacedTasks() {}

    /** Returns numbers from 0, each a partition whose task runs on that host, unless it has no executor. */
    static JavaRDD<Integer> on(JavaSparkContext context, String host, int tasks) {
        Seq<String> preferred = CollectionConverters.asScala(List.of(host)).toSeq();
        List<Tuple2<Integer, Seq<String>>> placed = IntStream.range(0, tasks)
                .mapToObj(task -> new Tuple2<Integer, Seq<String>>(task, preferred))
                .toList();
        return context.sc()
                .makeRDD(CollectionConverters.asScala(placed).toSeq(), ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD();
    }

    /** Returns so many bytes that do not compress, the same each time. */
    static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    static long sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }
}
