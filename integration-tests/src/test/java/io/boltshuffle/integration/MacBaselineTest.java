package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark chooses kqueue on a Mac if Netty's library for it is on the class path, and a slower way otherwise. What is
 * compared with stock Spark there has to be compared with the faster one.
 */
class MacBaselineTest {

    @ParameterizedTest
    @ValueSource(strings = {"aarch_64", "x86_64"})
    void macsHaveNettysKqueueOnTheClassPathOfSpark(String processor) {
        assertThat(MacBaselineTest.class.getResource(
                        "/META-INF/native/libnetty_transport_native_kqueue_" + processor + ".jnilib"))
                .isNotNull();
    }
}
