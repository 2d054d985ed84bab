package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.conf.IllegalSettingException;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import scala.Option;

class BoltShuffleManagerTest {

    private static final String SECRET = "spark.boltshuffle.secret";

    @Test
    void theConstructorNeedsNoSparkEnvironment() {
        assertThat(SparkEnv.get()).isNull();

        new BoltShuffleManager(new SparkConf(false), true).stop();
    }

    @Test
    void theDriverMakesUpASecretForItsExecutors() {
        SparkConf driver = new SparkConf(false);
        SparkConf other = new SparkConf(false);
        new BoltShuffleManager(driver, true).stop();
        new BoltShuffleManager(other, true).stop();

        assertThat(driver.get(SECRET)).hasSize(64).isNotEqualTo(other.get(SECRET));
        assertThat(driver.toDebugString()).contains(SECRET).doesNotContain(driver.get(SECRET));
    }

    @Test
    void nobodyElseMakesUpASecret() {
        SparkConf executor = new SparkConf(false);
        SparkConf withSparksOwn = new SparkConf(false).set("spark.authenticate", "true");
        SparkConf withItsOwn = new SparkConf(false).set(SECRET, "chosen");
        new BoltShuffleManager(executor, false).stop();
        new BoltShuffleManager(withSparksOwn, true).stop();
        new BoltShuffleManager(withItsOwn, true).stop();

        assertThat(executor.contains(SECRET)).isFalse();
        assertThat(withSparksOwn.contains(SECRET)).isFalse();
        assertThat(withItsOwn.get(SECRET)).isEqualTo("chosen");
    }

    @Test
    void anIllegalSettingStopsTheApplicationBeforeItStarts() {
        SparkConf conf = new SparkConf(false).set("spark.boltshuffle.enabled", "on");

        assertThatThrownBy(() -> new BoltShuffleManager(conf, true))
                .isInstanceOf(IllegalSettingException.class)
                .hasMessage("spark.boltshuffle.enabled=on is refused: it must be true or false");
    }

    @Test
    void aReaderFetchesFromItsOwnHostOnlyWhatItMayNotReadFromDisk() {
        BlockManagerId reader = BlockManagerId.apply("1", "mac1", 7001, Option.empty());
        List<BlockManagerId> writers = List.of(
                reader,
                BlockManagerId.apply("2", "mac1", 7002, Option.empty()),
                BlockManagerId.apply("3", "mac2", 7003, Option.empty()),
                BlockManagerId.apply("4", "mac2", 7004, Option.empty()));

        assertThat(RdmaShuffles.fetchedFrom(writers, reader, true)).containsExactly("mac2");
        assertThat(RdmaShuffles.fetchedFrom(writers, reader, false)).containsExactlyInAnyOrder("mac1", "mac2");
        assertThat(RdmaShuffles.fetchedFrom(List.of(reader), reader, false)).isEmpty();
    }
}
