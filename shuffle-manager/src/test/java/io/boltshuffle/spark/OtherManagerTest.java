package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.ui.Notice;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class OtherManagerTest {
    private static final String COMET = "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager";

    private static JavaSparkContext context;

    @BeforeAll
    static void start() {
        context = new JavaSparkContext(new SparkConf(false)
                .setMaster("local[1]")
                .setAppName("other-manager")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void thePluginsManagerIsNoOther() {
        assertThat(OtherManager.of(with(BoltShuffleManager.class.getName()))).isEmpty();
        assertThat(OtherManager.of(with(COMET))).contains(new OtherManager(COMET));
        assertThat(OtherManager.of(new SparkConf(false))).contains(new OtherManager("sort"));
    }

    @Test
    void whatReadsWithSparksClientGoesByRdma() {
        assertThat(notice(COMET, Map.of()))
                .isEqualTo(new Notice("other_manager", "Shuffles of " + COMET + " go by RDMA where it reaches."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sort", "tungsten-sort", "org.apache.spark.shuffle.sort.SortShuffleManager"})
    void whoHasSparksManagerIsToldWhatThePluginsBrings(String manager) {
        assertThat(notice(manager, Map.of()).name()).isEqualTo("other_manager");
        assertThat(notice(manager, Map.of()).text())
                .startsWith("Shuffles of Spark's own manager go by RDMA where it reaches. ")
                .endsWith("spark.shuffle.manager=io.boltshuffle.spark.BoltShuffleManager map tasks also write by the"
                        + " plugin's writer.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.spark.shuffle.celeborn.SparkShuffleManager",
                "org.apache.spark.shuffle.RssShuffleManager",
                "org.apache.spark.shuffle.DelegationRssShuffleManager",
                "org.apache.spark.shuffle.gluten.celeborn.CelebornShuffleManager",
                "org.apache.spark.shuffle.gluten.uniffle.UniffleShuffleManager"
            })
    void whatReadsFromServersOfItsOwnIsNotServed(String manager) {
        assertThat(notice(manager, Map.of()).name()).isEqualTo("manager_not_served");
        assertThat(notice(manager, Map.of()).text()).contains(manager, "client of their own, by TCP");
    }

    @Test
    void whatTheUserDoesNotWantIsNotServed() {
        assertThat(notice(COMET, Map.of("spark.boltshuffle.shuffles", "own")))
                .isEqualTo(new Notice(
                        "manager_not_served",
                        "Shuffles of " + COMET + " go by TCP: spark.boltshuffle.shuffles is own."));
        assertThat(notice(COMET, Map.of("spark.boltshuffle.enabled", "false")).text())
                .endsWith(" go by TCP: spark.boltshuffle.enabled is false.");
    }

    private static Notice notice(String manager, Map<String, String> settings) {
        BlockManager ofDriver = SparkEnv.get().blockManager();
        return new OtherManager(manager).notice(ofDriver, Settings.parse(settings));
    }

    private static SparkConf with(String manager) {
        return new SparkConf(false).set("spark.shuffle.manager", manager);
    }
}
