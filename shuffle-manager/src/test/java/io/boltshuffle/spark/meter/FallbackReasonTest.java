package io.boltshuffle.spark.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.report.Remedy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackReasonTest {

    @ParameterizedTest
    @EnumSource
    void theTabHasARemedyForEach(FallbackReason reason) {
        assertThat(Remedy.of(reason.metricName())).matches("[A-Z'].{20,}\\.");
    }
}
