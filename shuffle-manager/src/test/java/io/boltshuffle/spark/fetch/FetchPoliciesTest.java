package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.meter.FallbackReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchPoliciesTest {
    private static final String BLOCK = "shuffle_0_1_2";

    private final Map<String, String> properties = new HashMap<>();

    @Test
    void withDefaultsOnlyTheTransportDecides() {
        assertThat(planned().candidates()).containsExactly(BLOCK);
    }

    @Test
    void theKillSwitchRefusesAll() {
        properties.put("spark.boltshuffle.enabled", "false");

        assertThat(planned().hostRefusal()).contains(FallbackReason.DISABLED);
        assertThat(allowRdma()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark.network.crypto.enabled",
                "spark.ssl.rpc.enabled",
                "spark.authenticate.enableSaslEncryption"
            })
    void encryptionOnTheWireRefusesAllUnlessCleartextIsAllowed(String key) {
        assertThat(allowRdma()).isTrue();

        properties.put(key, "true");
        assertThat(planned().hostRefusal()).contains(FallbackReason.ENCRYPTED_WIRE);
        assertThat(allowRdma()).isFalse();

        properties.put("spark.boltshuffle.allowCleartext", "true");
        assertThat(planned().candidates()).containsExactly(BLOCK);
        assertThat(allowRdma()).isTrue();
    }

    @Test
    void encryptionAtRestPassesThrough() {
        properties.put("spark.io.encryption.enabled", "true");

        assertThat(planned().candidates()).containsExactly(BLOCK);
    }

    private boolean allowRdma() {
        return FetchPolicies.allowRdma(conf(), Settings.parse(properties));
    }

    private SparkConf conf() {
        SparkConf conf = new SparkConf(false);
        properties.forEach(conf::set);
        return conf;
    }

    private FetchPlan planned() {
        FetchPlan plan = new FetchPlan("host-b", List.of(BLOCK));
        FetchPolicies.chain(conf(), Settings.parse(properties), new FakeTransport())
                .forEach(policy -> policy.review(plan));
        return plan;
    }
}
