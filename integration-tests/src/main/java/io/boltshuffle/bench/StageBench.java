package io.boltshuffle.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Writes a shuffle and reads it several times, each read a stage: {@code StageBench <plan> <results>}, a
 * {@link StageBenchPlan} and a list of {@link PieceSample}s as JSON files. The first read, which also writes the
 * shuffle, warms up and is not reported.
 */
public final class StageBench {
    private StageBench() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: StageBench <plan> <results>");
        }
        StageBenchPlan plan = new ObjectMapper().readValue(new File(args[0]), StageBenchPlan.class);
        SparkConf conf = new SparkConf()
                .setAppName("StageBench")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                // Random bytes do not compress, so compression would only cost time.
                .set("spark.shuffle.compress", "false")
                // A file for each block while it is written would take longer than everything that is measured.
                .set("spark.shuffle.sort.bypassMergeThreshold", "1");
        PieceMeter meter;
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            meter = new PieceMeter(spark, plan.agents());
            JavaPairRDD<Integer, byte[]> shuffled = shuffle(spark, plan);
            read(shuffled, plan);
            for (int read = 1; read <= plan.reads(); read++) {
                meter.measure("read " + read, () -> read(shuffled, plan));
            }
        }
        meter.write(args[1]);
    }

    private static JavaPairRDD<Integer, byte[]> shuffle(JavaSparkContext spark, StageBenchPlan plan) {
        JavaPairRDD<Integer, byte[]> rows = KeyedRows.of(plan).generate(spark);
        EvenRanges ranges = new EvenRanges(plan.reducers());
        return switch (plan.operation()) {
            case REPARTITION -> rows.partitionBy(ranges);
            case SORT -> rows.repartitionAndSortWithinPartitions(ranges);
        };
    }

    private static String read(JavaPairRDD<Integer, byte[]> shuffled, StageBenchPlan plan) {
        RowTotals all = RowTotals.ofAll(shuffled, plan.operation() == StageOperation.SORT);
        if (all.rows() != KeyedRows.of(plan).rows()) {
            throw new IllegalStateException(
                    all.rows() + " rows came of " + KeyedRows.of(plan).rows());
        }
        return all.rows() + " rows, " + Long.toHexString(all.sum());
    }
}
