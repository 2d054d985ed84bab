package io.boltshuffle.proof.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class CutTest {
    private final Cut.Converter converter = new Cut.Converter();

    @Test
    void mapTasksComeFirst() {
        assertThat(converter.convert("200x8")).isEqualTo(new Cut(200, 8)).hasToString("200x8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"200", "x8", "0x8", "8x0", "-1x8", "8 x 8", "100000x1"})
    void whatIsNoCutIsRefused(String text) {
        assertThatThrownBy(() -> converter.convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
