package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.StageWrites;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.spark.report.TrafficMeter;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

@Tag("slow")
class ShuffleRuntimeTest {

    /** Spark's writers fail for such a setting, too, with each task that tries. */
    @Test
    void oneThatCannotBeMadeLeavesTheMetricsOfOneHoweverOftenItIsTried() {
        try (JavaSparkContext context = new JavaSparkContext(conf().set("spark.file.transferTo", "perhaps"))) {
            assertThat(context.isLocal()).isTrue();
            BoltShuffleManager manager = (BoltShuffleManager) SparkEnv.get().shuffleManager();

            for (int tried = 0; tried < 3; tried++) {
                assertThat(catchThrowable(manager::blockStoreClient)).isInstanceOf(IllegalArgumentException.class);
            }

            assertThat(sources()).hasSize(1);
        }
    }

    @Test
    void whoWroteIsCountedByStage() {
        try (JavaSparkContext context = new JavaSparkContext(conf())) {
            JavaPairRDD<Integer, Integer> rows = context.parallelize(
                            IntStream.range(0, 1_000).boxed().toList(), 4)
                    .mapToPair(number -> new Tuple2<>(number, 1));

            assertThat(rows.partitionBy(new HashPartitioner(3)).count()).isEqualTo(1_000);
            assertThat(rows.reduceByKey(Integer::sum, 3).count()).isEqualTo(1_000);

            Traffic traffic = ((TrafficMeter) sources().get(0)).traffic();
            assertThat(traffic.stages())
                    .extracting(StageTraffic::writes)
                    .satisfiesExactly(
                            ours -> {
                                assertThat(ours.tasks()).isEqualTo(4);
                                assertThat(ours.bytes()).isPositive();
                                assertThat(ours.sparkTasks()).isEmpty();
                            },
                            sparks -> assertThat(sparks)
                                    .isEqualTo(new StageWrites(0, 0, 0, Map.of("map_side_combine", 4L))));
            assertThat(traffic.writer().partitions()).isGreaterThanOrEqualTo(200);
            assertThat(traffic.writer().bufferBytes()).isEqualTo(32 << 10);
        }
    }

    private static SparkConf conf() {
        return new SparkConf(false)
                .setMaster("local[1]")
                .setAppName("shuffle-runtime")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName());
    }

    private static List<Source> sources() {
        return CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName(ShuffleMetrics.SOURCE_NAME));
    }
}
