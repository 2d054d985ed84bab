package io.boltshuffle.proof.bench.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class BandwidthTest {
    @ParameterizedTest
    @CsvSource({
        "800kbit, 100000, 0.8 Mbit/s (0.1 MB/s)",
        "71.4mbit, 8925000, 71.4 Mbit/s (8.9 MB/s)",
        "2.5gbit, 312500000, 2.50 Gbit/s (312.5 MB/s)"
    })
    void aRateIsANumberAndAUnitOfBits(String text, long bytesPerSecond, String shown) {
        Bandwidth bandwidth = new Bandwidth.Converter().convert(text);

        assertThat(bandwidth.bytesPerSecond()).isEqualTo(bytesPerSecond);
        assertThat(bandwidth).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1g", "0mbit", "0.0gbit", "-1mbit", "1e9gbit", "1 gbit", "1.2345gbit", "1GBIT"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> new Bandwidth.Converter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("is no rate such as 71.4mbit or 2.5gbit");
    }
}
