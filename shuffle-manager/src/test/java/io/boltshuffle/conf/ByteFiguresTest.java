package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteFiguresTest {

    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "1023,1023 B",
        "1024,1.0 KiB",
        "1048575,1.0 MiB",
        "268435456,256.0 MiB",
        "8500000000,7.9 GiB",
        "9223372036854775807,8192.0 PiB"
    })
    void amountsAreInPowersOf1024(long bytes, String text) {
        assertThat(ByteFigures.bytes(bytes)).isEqualTo(text);
    }

    @Test
    void ratesAreInTheSameUnits() {
        assertThat(ByteFigures.rate(0)).isEqualTo("0 B/s");
        assertThat(ByteFigures.rate(3.5 * (1 << 30))).isEqualTo("3.5 GiB/s");
    }
}
