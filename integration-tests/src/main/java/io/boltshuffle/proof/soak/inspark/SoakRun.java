package io.boltshuffle.proof.soak.inspark;

import io.boltshuffle.examples.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.SparkSession;

/**
 * {@code SoakRun <results> once} runs each job in each variation; {@code SoakRun <results> <end> <seed>} runs jobs, in
 * an order that the seed determines, until there is a file {@code end}. Each job writes a line to the results when it
 * has ended, with or without success.
 */
public final class SoakRun {
    private static final List<SoakJob> JOBS = List.of(SoakJob.values());
    private static final int VARIATIONS = 2;

    private final SparkSession spark;
    private final PrintWriter results;
    private int jobs;

    private SoakRun(SparkSession spark, PrintWriter results) {
        this.spark = spark;
        this.results = results;
    }

    public static void main(String[] args) throws IOException {
        try (SparkSession spark = SparkSession.builder().appName("SoakRun").getOrCreate();
                PrintWriter results = new PrintWriter(Path.of(args[0]).toFile(), StandardCharsets.UTF_8)) {
            SoakRun run = new SoakRun(spark, results);
            if (args[1].equals("once")) {
                run.each();
            } else {
                run.until(Path.of(args[1]), new Random(Long.parseLong(args[2])));
            }
        }
    }

    private void each() {
        for (SoakJob job : JOBS) {
            for (int variation = 0; variation < VARIATIONS; variation++) {
                run(job, variation);
            }
        }
    }

    private void until(Path end, Random random) {
        while (Files.notExists(end)) {
            run(JOBS.get(random.nextInt(JOBS.size())), random.nextInt(VARIATIONS));
        }
    }

    private void run(SoakJob job, int variation) {
        String name = job.label() + "-" + variation;
        jobs++;
        System.out.println(new ProgressLine.Note("job " + jobs + ", " + name).format());
        long startNanos = System.nanoTime();
        JobResult result;
        try {
            String answer = job.answer(spark, variation);
            result = new JobResult(name, millisSince(startNanos), answer);
        } catch (Exception e) { // SparkException is checked, and thrown by Scala without being declared
            result = JobResult.failed(name, millisSince(startNanos), e);
        }
        results.println(result.line());
        results.flush();
    }

    private static long millisSince(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
    }
}
