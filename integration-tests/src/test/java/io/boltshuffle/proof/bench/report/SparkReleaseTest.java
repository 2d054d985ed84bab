package io.boltshuffle.proof.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkReleaseTest {
    @ParameterizedTest
    @CsvSource({
        "4.2.0, Spark 4.2.0",
        "4.1.2, Spark 4.1.2",
        "4.1.1, Spark 4.1.1 (sends without sendfile as it comes; 4.1.2 is a fairer match)",
        "4.0.4, Spark 4.0.4"
    })
    void aReleaseThatLostSendfileIsNoFairMatch(String release, String described) {
        assertThat(SparkRelease.described(release)).isEqualTo(described);
    }
}
