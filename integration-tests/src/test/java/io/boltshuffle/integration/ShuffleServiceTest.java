package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Map outputs outlive the executor that wrote them if there is an external shuffle service. */
@Tag("slow")
class ShuffleServiceTest {
    private static final int ROWS = 50_000;
    private static final int KEYS = 500;

    /** @param ours whether our writer wrote them */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blocksOfAnExecutorThatDiedAreFetchedFromItsHostsService(boolean ours, @TempDir Path directory)
            throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory);
                ShuffleServices services = ShuffleServices.start()) {
            SparkConf conf = services.usedBy(hosts.applicationConf("shuffle-service"));
            conf.set("spark.boltshuffle.writer.enabled", Boolean.toString(ours));
            String application = expectCounted(hosts, conf, "blocks.netty");
            ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
            // A report is a file for each metric, and may be read while it is written.
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(metrics.total(application, "write.tasks") > 0).isEqualTo(ours);
                assertThat(metrics.total(application, "write.spark.disabled") > 0)
                        .isEqualTo(!ours);
            });
        }
    }

    @Tag("ci")
    @Test
    void blocksOfAnExecutorThatDiedAreFetchedFromItsHostsAgent(@TempDir Path directory) throws Exception {
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                ShuffleServices services = ShuffleServices.start()) {
            SparkConf conf = agents.applyTo(services.usedBy(hosts.applicationConf("shuffle-service")));
            String application = expectCounted(hosts, conf, "blocks.rdma");
            ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
            assertThat(metrics.total(application, "fallbacks.block_unavailable"))
                    .isZero();
            assertThat(metrics.total(application, "fallbacks.block_not_found")).isZero();
        }
    }

    /** Runs a job whose first reduce task dies with its executor. Returns the application. */
    private static String expectCounted(TwoHosts hosts, SparkConf conf, String blocks) throws Exception {
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            Map<Integer, Integer> counts = countsThoughAnExecutorDies(context);
            assertThat(counts).hasSize(KEYS);
            assertThat(counts.values()).containsOnly(ROWS / KEYS);
            assertThat(reads.retriedStages()).isEmpty();
            String application = context.sc().applicationId();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(new ReportedMetrics(hosts.metricsDirectory()).total(application, blocks))
                                    .isPositive());
            return application;
        }
    }

    private static Map<Integer, Integer> countsThoughAnExecutorDies(JavaSparkContext context) {
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), 4)
                .mapToPair(id -> new Tuple2<>(id % KEYS, 1))
                .partitionBy(new HashPartitioner(4))
                .mapPartitionsToPair(records -> {
                    TaskContext task = TaskContext.get();
                    if (task.partitionId() == 0 && task.attemptNumber() == 0) {
                        Runtime.getRuntime().halt(137);
                    }
                    Map<Integer, Integer> counts = new HashMap<>();
                    records.forEachRemaining(row -> counts.merge(row._1(), row._2(), Integer::sum));
                    return counts.entrySet().stream()
                            .map(count -> new Tuple2<>(count.getKey(), count.getValue()))
                            .iterator();
                })
                .collectAsMap();
    }
}
