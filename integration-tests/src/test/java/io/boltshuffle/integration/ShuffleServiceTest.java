package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** With the external shuffle service, map outputs outlive the executor that wrote them. */
class ShuffleServiceTest {
    private static final int ROWS = 50_000;
    private static final int KEYS = 500;

    @Test
    void blocksOfAnExecutorThatDiedAreFetchedFromItsHostsService(@TempDir Path directory) throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory);
                ShuffleServices services = ShuffleServices.start();
                JavaSparkContext context =
                        new JavaSparkContext(services.usedBy(hosts.applicationConf("shuffle-service")))) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());

            Map<Integer, Integer> counts = context.parallelize(
                            IntStream.range(0, ROWS).boxed().toList(), 4)
                    .mapToPair(id -> new Tuple2<>(id % KEYS, 1))
                    .reduceByKey(Integer::sum, 4)
                    .mapPartitionsToPair(records -> {
                        TaskContext task = TaskContext.get();
                        if (task.partitionId() == 0 && task.attemptNumber() == 0) {
                            Runtime.getRuntime().halt(137);
                        }
                        return records;
                    })
                    .collectAsMap();

            assertThat(counts).hasSize(KEYS);
            assertThat(counts.values()).containsOnly(ROWS / KEYS);
            assertThat(reads.retriedStages()).isEmpty();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(new ReportedMetrics(hosts.metricsDirectory())
                                    .total(context.sc().applicationId(), "blocks.netty"))
                            .isPositive());
        }
    }
}
