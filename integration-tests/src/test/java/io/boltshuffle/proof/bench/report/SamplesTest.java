package io.boltshuffle.proof.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void theMedianIsTheMiddleOfTheSortedValues() {
        assertThat(Samples.of(List.of(9.0, 1.0, 4.0)).median()).isEqualTo(4.0);
        assertThat(Samples.of(List.of(9.0, 1.0, 4.0, 5.0)).median()).isEqualTo(4.5);
    }

    @Test
    void theSpreadIsLeastAndMost() {
        Samples samples = Samples.of(List.of(9.0, 1.0, 4.0));

        assertThat(samples.least()).isEqualTo(1.0);
        assertThat(samples.most()).isEqualTo(9.0);
    }

    @Test
    void samplesAreTheRunsInTheirOrder() {
        assertThat(Samples.of(List.of(9.0, 1.0, 4.0)).toJson()).containsEntry("samples", List.of(9.0, 1.0, 4.0));
    }

    @Test
    void nothingMeasuredIsAnErrorAndNotZero() {
        assertThatIllegalArgumentException().isThrownBy(() -> Samples.of(List.of()));
    }
}
