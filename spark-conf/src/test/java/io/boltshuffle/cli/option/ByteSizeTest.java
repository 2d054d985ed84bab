package io.boltshuffle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    private final ByteSize.Converter converter = new ByteSize.Converter();

    @ParameterizedTest
    @CsvSource({"20m,20971520", "1G,1073741824", "512k,524288", "2tb,2199023255552"})
    void sizesAreReadAsSparkReadsThem(String text, long bytes) {
        assertThat(converter.convert(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "m", "-1m", "1.5g", "1x"})
    void otherTextIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> converter.convert(text)).hasMessage("'" + text + "' is not a size such as 20m or 1g");
    }
}
