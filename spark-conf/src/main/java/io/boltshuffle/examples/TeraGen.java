package io.boltshuffle.examples;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Writes the input of {@link TeraSort}: {@code TeraGen <rows> <files> <output directory>}. */
public final class TeraGen {
    private TeraGen() {}

    public static void main(String[] args) {
        Usage.require(args, 3, "TeraGen <rows> <files> <output directory>");
        long rows = Long.parseLong(args[0]);
        int files = Integer.parseInt(args[1]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("TeraGen"))) {
            generate(spark, rows, files, args[2]);
        }
        System.out.println("TeraGen: " + rows + " rows in " + args[2]);
    }

    /** Writes the rows in an existing application. */
    public static void generate(JavaSparkContext spark, long rows, int files, String output) {
        JavaRDD<byte[]> generated = spark.parallelize(
                        IntStream.range(0, files).boxed().toList(), files)
                .flatMap(file -> LongStream.range(rows * file / files, rows * (file + 1) / files)
                        .mapToObj(TeraRecord::row)
                        .iterator());
        TeraFiles.write(TeraFiles.keyed(generated), output);
    }
}
