package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.integration.CountingJob.Interruption;
import io.boltshuffle.integration.CountingJob.Moment;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Shows that outputs of our writer are served where Spark has another process serve them than the executor that wrote
 * them.
 */
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
                assertThat(writers()).hasSize(2);
                String leaving = writers().iterator().next();

                ((ExecutorAllocationClient) context.sc().schedulerBackend())
                        .decommissionExecutor(
                                leaving, new ExecutorDecommissionInfo("to be tried", Option.empty()), true, false);

                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(writers()).hasSize(1).doesNotContain(leaving));
                assertThat(counts.collectAsMap()).isEqualTo(job.expected());
                assertThat(reads.retriedStages()).isEmpty();
                expectOursWrote(hosts, context);
            }
        }
    }

    /** Spark pushes on YARN only, or where it is tested; which services merge, YARN's back end says. */
    @Test
    void blocksThatArePushedAreMergedAndReadMerged(@TempDir Path directory) throws Exception {
        try (TwoHosts hosts = TwoHosts.start(directory);
                ShuffleServices services = ShuffleServices.startMerging()) {
            SparkConf conf = services.usedBy(hosts.applicationConf("push-merge"))
                    .set("spark.testing", "true")
                    .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                    .set("spark.shuffle.push.enabled", "true")
                    .set("spark.shuffle.push.minShuffleSizeToWait", "1")
                    .set("spark.shuffle.push.minCompletedPushRatio", "1.0");
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                mergeAt(context.sc(), services.addresses());
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
        Stream.of("disabled", "storage_plugin", "codec", "map_side_combine", "partitions")
                .forEach(reason -> assertThat(metrics.total(application, "write.spark." + reason))
                        .as(reason)
                        .isZero());
    }

    /** The executors that have map outputs, as the driver knows. */
    private static Set<String> writers() {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        return CollectionConverters.asJava(tracker.shuffleStatuses()).values().stream()
                .flatMap(shuffle -> Stream.of(shuffle.mapStatuses()))
                .map(MapStatus::location)
                .map(BlockManagerId::executorId)
                .collect(Collectors.toSet());
    }

    /** Has the driver ask these services to merge, as if the cluster's manager had named them. */
    private static void mergeAt(SparkContext context, List<BlockManagerId> services)
            throws ReflectiveOperationException {
        SchedulerBackend backend = context.schedulerBackend();
        Object merging = Proxy.newProxyInstance(
                SchedulerBackend.class.getClassLoader(),
                new Class<?>[] {SchedulerBackend.class, ExecutorAllocationClient.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getShufflePushMergerLocations")) {
                        return CollectionConverters.asScala(services).toList();
                    }
                    try {
                        return method.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Field field = SparkContext.class.getDeclaredField("_schedulerBackend");
        field.setAccessible(true);
        field.set(context, merging);
    }
}
