package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An executor's fetch side is put where the readers of any manager look; here in the driver. */
@Tag("slow")
class FetchSideTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readersOfAnyManagerFindItWithTheShuffleServiceAndWithout(boolean withService) {
        try (JavaSparkContext context = start(withService)) {
            BlockManager manager = SparkEnv.get().blockManager();
            BlockStoreClient sparksOwn = manager.blockStoreClient();
            assertThat(sparksOwn instanceof ExternalBlockStoreClient).isEqualTo(withService);

            FetchSide side = install(Map.of()).orElseThrow();

            assertThat(manager.blockStoreClient()).isSameAs(side.client()).isNotSameAs(sparksOwn);
            assertThat(FetchSide.installedIn(manager)).containsSame(side);
            assertThat(context.parallelize(List.of(1, 2, 3, 4), 4)
                            .groupBy(number -> number % 2)
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void anApplicationThatNeverShufflesOpensNothing() {
        try (JavaSparkContext context = start(false)) {
            FetchSide side = install(Map.of()).orElseThrow();

            assertThat(context.parallelize(List.of(1, 2)).count()).isEqualTo(2);
            assertThat(sources()).isZero();

            side.onTask();
            side.onTask();
            assertThat(sources()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spark.boltshuffle.shuffles, own",
        "spark.boltshuffle.enabled, false",
        "spark.boltshuffle.fetch.window, x"
    })
    void settingsThatDoNotWantItOrAreIllegalLeaveSparksOwnWhereItIs(String key, String value) {
        try (JavaSparkContext context = start(false)) {
            assertThat(context.isLocal()).isTrue();
            BlockManager manager = SparkEnv.get().blockManager();
            BlockStoreClient sparksOwn = manager.blockStoreClient();

            assertThat(install(Map.of(key, value))).isEmpty();

            assertThat(manager.blockStoreClient()).isSameAs(sparksOwn);
            assertThat(FetchSide.installedIn(manager)).isEmpty();
        }
    }

    @Test
    void asItsOwnASecondOneIsNotPutOnTopOfTheFirst() {
        try (JavaSparkContext context = start(false)) {
            assertThat(context.isLocal()).isTrue();
            FetchSide first = install(Map.of()).orElseThrow();

            assertThat(install(Map.of())).isEmpty();

            assertThat(FetchSide.installedIn(SparkEnv.get().blockManager())).containsSame(first);
        }
    }

    /** The block manager closes its transfer service itself, and what stands for it must not do so again. */
    @Test
    void theServicesClientIsClosedWithItAndSparksTransferServiceIsNot() throws Exception {
        AtomicInteger closings = new AtomicInteger();
        ExternalBlockStoreClient service =
                new ExternalBlockStoreClient(
                        new TransportConf("shuffle", MapConfigProvider.EMPTY), new NoSecrets(), false, 1_000) {
                    @Override
                    public void close() {
                        closings.incrementAndGet();
                    }
                };
        FakeNetty netty = new FakeNetty() {
            @Override
            public void close() {
                closings.addAndGet(100);
            }
        };

        new RoutingBlockStoreClient(service, () -> null, null).close();
        new RoutingBlockStoreClient(netty, () -> null, null).close();

        assertThat(closings).hasValue(1);
    }

    private static final class NoSecrets implements SecretKeyHolder {
        @Override
        public String getSaslUser(String application) {
            return "";
        }

        @Override
        public String getSecretKey(String application) {
            return "";
        }
    }

    private static Optional<FetchSide> install(Map<String, String> settings) {
        return FetchSide.install(SparkEnv.get(), () -> Settings.parse(settings), "a manager", true);
    }

    private static int sources() {
        return SparkEnv.get()
                .metricsSystem()
                .getSourcesByName(ShuffleMetrics.SOURCE_NAME)
                .size();
    }

    private static JavaSparkContext start(boolean withService) {
        return new JavaSparkContext(new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("fetch-side")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.shuffle.service.enabled", Boolean.toString(withService)));
    }
}
