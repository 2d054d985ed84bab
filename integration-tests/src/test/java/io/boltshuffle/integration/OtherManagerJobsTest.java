package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.othermanager.BatchSerializer;
import io.boltshuffle.integration.othermanager.ColumnarShuffleManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Shuffles of a manager that extends nothing of Spark's, as accelerators bring, with the plugin alone. */
@Tag("ci")
class OtherManagerJobsTest {
    private static final int MAPS = 6;
    private static final int PARTITIONS = 4;
    private static final int ROWS = 2_000;

    private final AgentPair agents;
    private final Path directory;

    OtherManagerJobsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND);
    }

    @Test
    void columnarBatchesInSparksFilesGoByRdma() throws Exception {
        run(false, (context, reads, metrics) -> {
            reads.awaitAllByRdma(() -> assertThat(sumOfBatches(context)).isEqualTo(expectedSum()));

            SparkSession session = SparkSession.builder().getOrCreate();
            assertThat(session.range(0, 10_000, 1, 4)
                            .selectExpr("id % 97 AS key")
                            .groupBy("key")
                            .count()
                            .count())
                    .isEqualTo(97);
        });
    }

    /** The first request for each shuffle shows that agents do not find its outputs; no later request asks twice. */
    @Test
    void outputsInFilesOfItsOwnGoByTcpAndTheReasonIsCounted() throws Exception {
        run(true, (context, reads, metrics) -> {
            reads.awaitAllByTcp(() -> assertThat(sumOfBatches(context)).isEqualTo(expectedSum()));

            String application = context.sc().applicationId();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(metrics.total(application, "fallbacks.block_not_found"))
                            .isPositive());
            assertThat(metrics.total(application, "failures")).isZero();
        });
    }

    private interface Body {
        void with(JavaSparkContext context, RemoteReads reads, ReportedMetrics metrics) throws Exception;
    }

    private void run(boolean elsewhere, Body body) throws Exception {
        try (AgentPair both = agents.startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = ShuffleKind.PLUGIN_ALONE
                    .applyTo(both.applyTo(hosts.applicationConf("other-manager")))
                    .set("spark.shuffle.manager", ColumnarShuffleManager.class.getName())
                    .set(ColumnarShuffleManager.ELSEWHERE, Boolean.toString(elsewhere));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                body.with(
                        context,
                        new RemoteReads(both, ShuffleReads.listeningTo(context.sc())),
                        new ReportedMetrics(hosts.metricsDirectory()));
            }
        }
    }

    private static long sumOfBatches(JavaSparkContext context) {
        JavaPairRDD<Integer, ColumnarBatch> batches = context.parallelize(
                        IntStream.range(0, MAPS).boxed().toList(), MAPS)
                .flatMapToPair(map -> {
                    List<Tuple2<Integer, ColumnarBatch>> made = new ArrayList<>();
                    for (int partition = 0; partition < PARTITIONS; partition++) {
                        made.add(new Tuple2<>(partition, BatchSerializer.batch((long) map * ROWS, ROWS)));
                    }
                    return made.iterator();
                });
        ClassTag<Integer> keys = ClassTag$.MODULE$.apply(Integer.class);
        ClassTag<ColumnarBatch> values = ClassTag$.MODULE$.apply(ColumnarBatch.class);
        ShuffledRDD<Integer, ColumnarBatch, ColumnarBatch> shuffled = new ShuffledRDD<
                        Integer, ColumnarBatch, ColumnarBatch>(
                        batches.rdd(), new HashPartitioner(PARTITIONS), keys, values, values)
                .setSerializer(new BatchSerializer());
        return JavaPairRDD.fromRDD(shuffled, keys, values)
                .map(batch -> LongStream.range(0, batch._2().numRows())
                        .map(row -> batch._2().column(0).getLong((int) row))
                        .sum())
                .reduce(Long::sum);
    }

    private static long expectedSum() {
        return PARTITIONS * LongStream.range(0, (long) MAPS * ROWS).sum();
    }
}
