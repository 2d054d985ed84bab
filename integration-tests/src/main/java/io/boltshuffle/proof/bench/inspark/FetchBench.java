package io.boltshuffle.proof.bench.inspark;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.examples.ProgressLine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures how executors fetch shuffle blocks: {@code FetchBench <plan> <results>}, both JSON files. It writes the
 * shuffles of a {@link FetchBenchPlan} with Spark's own writers. Then the executor of one host fetches the other's
 * blocks, alternately with Spark's client and with the plugin's, in the same processes and from the same files. The
 * results are written after each measurement.
 */
public final class FetchBench {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JavaSparkContext spark;
    private final FetchBenchPlan plan;
    private final Path results;
    private final ExecutorHosts hosts;
    /** References to the shuffles, because Spark removes the files of a shuffle without any. */
    private final List<JavaPairRDD<Integer, byte[]>> written = new ArrayList<>();

    private final List<FetchSample> samples = new ArrayList<>();

    private FetchBench(JavaSparkContext spark, FetchBenchPlan plan, Path results) {
        this.spark = spark;
        this.plan = plan;
        this.results = results;
        this.hosts = ExecutorHosts.find(spark);
    }

    public static void main(String[] args) throws IOException, SparkException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: FetchBench <plan> <results>");
        }
        FetchBenchPlan plan = JSON.readValue(new File(args[0]), FetchBenchPlan.class);
        SparkConf conf = new SparkConf()
                .setAppName("FetchBench")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.shuffle.compress", "false");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            FetchBench bench = new FetchBench(spark, plan, Path.of(args[1]));
            for (ShuffleShape shape : plan.shapes()) {
                bench.measure(shape);
            }
        }
    }

    private void measure(ShuffleShape shape) throws IOException, SparkException {
        note("writing blocks of " + shape.blockBytes() + " bytes");
        JavaPairRDD<Integer, byte[]> shuffled =
                BlockWriter.shuffle(spark, shape, hosts.names().size());
        written.add(shuffled);
        ShuffleDependency<?, ?, ?> dependency =
                (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
        spark.sc().submitMapStage(dependency).get();
        FetchTask task = new FetchTask(dependency.shuffleId(), shape, hosts.processIds(), plan);
        note("comparing the bytes of both routes, and warming up");
        hosts.runOnFirst(Integer.class, task::prepare);
        for (int fetchers : plan.fetchers()) {
            for (int round = 0; round < plan.rounds(); round++) {
                measureBoth(task, fetchers, round);
            }
        }
    }

    /**
     * Measures both routes. The first one alternates, so that a machine that slows down or speeds up favours neither.
     */
    private void measureBoth(FetchTask task, int fetchers, int round) throws IOException {
        List<FetchRoute> order = round % 2 == 0
                ? List.of(FetchRoute.NETTY, FetchRoute.BOLTSHUFFLE)
                : List.of(FetchRoute.BOLTSHUFFLE, FetchRoute.NETTY);
        for (FetchRoute route : order) {
            FetchSample sample = hosts.runOnFirst(FetchSample.class, () -> task.measure(route, fetchers, round));
            samples.add(sample);
            write();
            note(String.format(
                    Locale.ROOT,
                    "%d of %d: blocks of %d bytes, %d fetchers, %s: %.2f GB/s",
                    samples.size(),
                    plan.measurements(),
                    sample.blockBytes(),
                    fetchers,
                    route.label(),
                    sample.bytes() / (double) sample.wallNanos()));
        }
    }

    /** Replaces the file at once, so that it is whole whenever this process is stopped. */
    private void write() throws IOException {
        Path making = results.resolveSibling(results.getFileName() + ".making");
        Files.write(making, JSON.writeValueAsBytes(samples));
        Files.move(making, results, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void note(String text) {
        System.out.println(new ProgressLine.Note(text).format());
    }
}
