package io.boltshuffle.examples;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Sorts rows of 100 bytes by their first 10: {@code TeraSort <input> <output directory> <partitions>}. */
public final class TeraSort {
    /** The number of keys of each input split from which the range cuts are chosen. */
    private static final int SAMPLED_PER_SPLIT = 1_000;

    private TeraSort() {}

    public static void main(String[] args) {
        Usage.require(args, 3, "TeraSort <input> <output directory> <partitions>");
        int partitions = Integer.parseInt(args[2]);
        SparkConf conf = new SparkConf()
                .setAppName("TeraSort")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            sort(spark, args[0], args[1], partitions);
        }
    }

    /** Sorts in an existing application. */
    public static void sort(JavaSparkContext spark, String input, String output, int partitions) {
        JavaPairRDD<byte[], byte[]> rows = TeraFiles.read(spark, input);
        TeraPartitioner ranges = TeraPartitioner.ofSample(sample(rows), partitions);
        TeraFiles.write(rows.repartitionAndSortWithinPartitions(ranges, TeraRecord.KEY_ORDER), output);
    }

    private static List<byte[]> sample(JavaPairRDD<byte[], byte[]> rows) {
        return rows.mapPartitions(split -> {
                    List<byte[]> keys = new ArrayList<>(SAMPLED_PER_SPLIT);
                    while (split.hasNext() && keys.size() < SAMPLED_PER_SPLIT) {
                        keys.add(split.next()._1());
                    }
                    return keys.iterator();
                })
                .collect();
    }
}
