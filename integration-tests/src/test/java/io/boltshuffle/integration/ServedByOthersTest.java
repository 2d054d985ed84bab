package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.integration.CountingJob.Interruption;
import io.boltshuffle.integration.CountingJob.Moment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/**
 * Shows that outputs of our writer are served where Spark has another process serve them than the executor that wrote
 * them.
 */
@Tag("ci")
class ServedByOthersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void blocksOfAnExecutorThatIsDecommissionedMoveToAnotherAndAreReadThere(@TempDir Path directory) throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = hosts.applicationConf("decommission")
                    .set("spark.decommission.enabled", "true")
                    .set("spark.storage.decommission.enabled", "true")
                    .set("spark.storage.decommission.shuffleBlocks.enabled", "true")
                    .set("spark.storage.decommission.replicationReattemptInterval", "1s");
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
                CountingJob job = new CountingJob(context, 6_000, 4);
                JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
                assertThat(counts.collectAsMap()).isEqualTo(job.expected());
                assertThat(MapOutputs.executors()).hasSize(2);
                String leaving = MapOutputs.executors().iterator().next();

                ((ExecutorAllocationClient) context.sc().schedulerBackend())
                        .decommissionExecutor(
                                leaving, new ExecutorDecommissionInfo("to be tried", Option.empty()), true, false);

                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(MapOutputs.executors()).hasSize(1).doesNotContain(leaving));
                assertThat(counts.collectAsMap()).isEqualTo(job.expected());
                assertThat(reads.retriedStages()).isEmpty();
                expectOursWrote(hosts, context);
            }
        }
    }

    @Test
    void blocksThatArePushedAreMergedAndReadMerged(@TempDir Path directory) throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory);
                ShuffleServices services = ShuffleServices.startMerging()) {
            SparkConf conf = services.pushedToBy(hosts.applicationConf("push-merge"));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                services.mergeFor(context.sc());
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
                CountingJob job = new CountingJob(context, 6_000, 4);

                assertThat(job.run()).isEqualTo(job.expected());

                assertThat(reads.mergedBlocks()).isPositive();
                assertThat(reads.retriedStages()).isEmpty();
                expectOursWrote(hosts, context);
            }
        }
    }

    private static void expectOursWrote(TwoHosts hosts, JavaSparkContext context) {
        ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
        String application = context.sc().applicationId();
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(metrics.total(application, "write.tasks")).isPositive());
        Stream.of("disabled", "storage_plugin", "codec", "map_side_combine", "forced_spills", "partitions")
                .forEach(reason -> assertThat(metrics.total(application, "write.spark." + reason))
                        .as(reason)
                        .isZero());
    }
}
