package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.source.Source;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class ShuffleRuntimeTest {

    /** Spark's writers fail for such a setting, too, with each task that tries. */
    @Test
    void oneThatCannotBeMadeLeavesNoMetricsHoweverOftenItIsTried() {
        SparkConf conf = new SparkConf(false)
                .setMaster("local[1]")
                .setAppName("shuffle-runtime")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.file.transferTo", "perhaps")
                .set("spark.shuffle.manager", BoltShuffleManager.class.getName());
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            assertThat(context.isLocal()).isTrue();
            BoltShuffleManager manager =
                    (BoltShuffleManager) SparkEnv.get().shuffleManager();

            for (int tried = 0; tried < 3; tried++) {
                assertThat(catchThrowable(manager::blockStoreClient)).isInstanceOf(IllegalArgumentException.class);
            }

            assertThat(sources()).isEmpty();
        }
    }

    private static List<Source> sources() {
        return CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName(ShuffleMetrics.SOURCE_NAME));
    }
}
