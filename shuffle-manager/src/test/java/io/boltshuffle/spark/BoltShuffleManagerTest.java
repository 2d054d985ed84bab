package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.conf.IllegalSettingException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.Test;

class BoltShuffleManagerTest {

    @Test
    void theConstructorNeedsNoSparkEnvironment() {
        assertThat(SparkEnv.get()).isNull();

        new BoltShuffleManager(new SparkConf(false), true).stop();
    }

    @Test
    void anIllegalSettingStopsTheApplicationBeforeItStarts() {
        SparkConf conf = new SparkConf(false).set("spark.boltshuffle.enabled", "on");

        assertThatThrownBy(() -> new BoltShuffleManager(conf, true))
                .isInstanceOf(IllegalSettingException.class)
                .hasMessage("spark.boltshuffle.enabled=on is refused: it must be true or false");
    }
}
