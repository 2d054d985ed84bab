package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** More map outputs than one fetch, pull or message may name, in tasks that ask for all of them at once. */
@Tag("ladder")
class ManyMapOutputsTest {
    private static final int MAPS = 50_000;

    @Test
    void blocksOfFiftyThousandMapOutputsComeByRdma(@TempDir Path directory) throws Exception {
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = agents.applyTo(hosts.applicationConf("many-outputs"))
                    .set("spark.locality.wait", "0s")
                    .set("spark.ui.retainedTasks", "100")
                    .set("spark.shuffle.checksum.enabled", "false");
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                CountingJob small = new CountingJob(context, 6_000, 4);
                small.awaitRdma(agents);
                ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
                String application = context.sc().applicationId();
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());

                List<Tuple2<Integer, Long>> sums = context.parallelize(Collections.nCopies(MAPS, 1), MAPS)
                        .mapPartitionsWithIndex(
                                (map, rows) -> Stream.of(new Tuple2<>(0, map), new Tuple2<>(1, map))
                                        .iterator(),
                                /* preservesPartitioning= */ false)
                        .mapToPair(row -> row)
                        .partitionBy(new HashPartitioner(2))
                        .mapPartitions(rows -> {
                            int count = 0;
                            long sum = 0;
                            while (rows.hasNext()) {
                                sum += rows.next()._2();
                                count++;
                            }
                            return List.of(new Tuple2<>(count, sum)).iterator();
                        })
                        .collect();

                long sum = IntStream.range(0, MAPS).asLongStream().sum();
                assertThat(sums).containsExactly(new Tuple2<>(MAPS, sum), new Tuple2<>(MAPS, sum));
                assertThat(reads.retriedStages()).isEmpty();
                long remote = reads.remoteBlocks();
                assertThat(remote).isGreaterThan(MAPS / 4);
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(metrics.total(application, "blocks.rdma"))
                                .isGreaterThanOrEqualTo(remote));
            }
        }
    }
}
