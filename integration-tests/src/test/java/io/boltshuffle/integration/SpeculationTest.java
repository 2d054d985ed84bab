package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Two attempts of a map task, on two hosts, of which Spark kills the slower one in the middle of its output. */
@Tag("ci")
class SpeculationTest {
    private static final int ROWS = 20_000;
    private static final int KEYS = 100;

    @Test
    void theOutputOfTheFasterAttemptIsReadAndTheSlowerOneIsKilled(@TempDir Path directory) throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = hosts.applicationConf("speculation")
                    .set("spark.speculation", "true")
                    .set("spark.speculation.interval", "100ms")
                    .set("spark.speculation.minTaskRuntime", "100ms")
                    .set("spark.speculation.multiplier", "1.1")
                    .set("spark.speculation.quantile", "0.5")
                    .set("spark.task.reaper.enabled", "true");
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                Ends ends = new Ends();
                context.sc().addSparkListener(ends);
                Rendezvous rendezvous = new Rendezvous(Files.createDirectories(directory.resolve("meeting")));
                CompletableFuture<Map<Integer, Integer>> counts =
                        CompletableFuture.supplyAsync(() -> counts(context, rendezvous.inTask()));

                assertThat(counts.get(2, TimeUnit.MINUTES))
                        .isEqualTo(IntStream.range(0, KEYS)
                                .boxed()
                                .collect(Collectors.toMap(key -> key, key -> ROWS / KEYS)));
                context.sc().listenerBus().waitUntilEmpty();
                assertThat(ends.speculative()).isPositive();
                // Two map outputs, and nothing of a third.
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(mapOutputs(hosts.localDirectory()))
                                .hasSize(2)
                                .allMatch(name -> name.endsWith(".data")));
                ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
                assertThat(metrics.total(context.sc().applicationId(), "write.spark.disabled"))
                        .isZero();
            }
        }
    }

    /** Names of data files, and of what would have become some. */
    private static List<String> mapOutputs(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("shuffle_.*\\.data.*|temp_shuffle.*"))
                    .toList();
        }
    }

    /** The first attempt of the first task never comes to its last row: it waits there until it is killed. */
    private static Map<Integer, Integer> counts(JavaSparkContext context, CountingJob.Interruption waiting) {
        Slow slow = new Slow(waiting);
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), 2)
                .mapToPair(number -> {
                    slow.at(number);
                    return new Tuple2<>(number % KEYS, 1);
                })
                .partitionBy(new HashPartitioner(4))
                .mapPartitionsToPair(rows -> {
                    Map<Integer, Integer> counts = new HashMap<>();
                    rows.forEachRemaining(row -> counts.merge(row._1(), row._2(), Integer::sum));
                    return counts.entrySet().stream()
                            .map(count -> new Tuple2<>(count.getKey(), count.getValue()))
                            .iterator();
                })
                .collectAsMap();
    }

    private record Slow(CountingJob.Interruption waiting) implements Serializable {
        void at(int number) throws Exception {
            TaskContext task = TaskContext.get();
            if (number == ROWS / 4 && task.partitionId() == 0 && task.attemptNumber() == 0) {
                waiting.run();
            }
        }
    }

    private static final class Ends extends SparkListener {
        private final List<Boolean> speculative = new CopyOnWriteArrayList<>();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            speculative.add(end.taskInfo().speculative());
        }

        long speculative() {
            return speculative.stream().filter(attempt -> attempt).count();
        }
    }
}
