package io.boltshuffle.bench;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * An application that shuffles nothing: it counts the elements of one job, and ends. Its last line has two numbers:
 * milliseconds from the start of the driver's JVM until Spark was there, and until the job was over.
 */
public final class StartBench {
    private static final int TASKS_PER_CORE = 4;

    private StartBench() {}

    public static void main(String[] args) {
        long start = ManagementFactory.getRuntimeMXBean().getStartTime();
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("StartBench"))) {
            long there = System.currentTimeMillis();
            int tasks = TASKS_PER_CORE * spark.defaultParallelism();
            long counted =
                    spark.parallelize(Collections.nCopies(tasks, 1), tasks).count();
            long over = System.currentTimeMillis();
            if (counted != tasks) {
                throw new IllegalStateException(counted + " elements of " + tasks);
            }
            System.out.println(there - start + " " + (over - start));
        }
    }
}
