package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plugin beside Spark's own shuffle manager: it does alone what the plugin's manager does elsewhere. */
@Tag("slow")
class BoltShufflePluginTest {
    private static final String SECRET = "spark.boltshuffle.secret";

    @Test
    void theDriverMakesUpASecretForItsExecutors() {
        try (JavaSparkContext context = new JavaSparkContext(conf())) {
            assertThat(SparkEnv.get().conf().get(SECRET)).hasSize(64);
            assertThat(context.getConf().get(SECRET))
                    .isEqualTo(SparkEnv.get().conf().get(SECRET));
        }
    }

    @Test
    void anIllegalSettingStopsTheApplicationBeforeItStarts() {
        assertThatThrownBy(() -> new JavaSparkContext(conf().set("spark.boltshuffle.shuffles", "some")).close())
                .hasMessage("spark.boltshuffle.shuffles=some is refused: it must be one of any, own");
    }

    /** In one process nothing is fetched, and Spark's client stays. */
    @Test
    void aLocalApplicationShufflesAsWithoutIt() {
        try (JavaSparkContext context = new JavaSparkContext(conf())) {
            assertThat(context.parallelize(List.of(1, 2, 3, 4), 4)
                            .groupBy(number -> number % 2)
                            .count())
                    .isEqualTo(2);
            assertThat(SparkEnv.get().blockManager().blockStoreClient())
                    .isSameAs(SparkEnv.get().blockManager().blockTransferService());
        }
    }

    private static SparkConf conf() {
        return new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("plugin-alone")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.plugins", BoltShufflePlugin.class.getName());
    }
}
