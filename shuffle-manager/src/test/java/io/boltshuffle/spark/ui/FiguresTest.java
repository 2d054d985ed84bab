package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({"0,0 B", "999,999 B", "1000,1.00 kB", "12345,12.3 kB", "999999,1.00 MB", "8500000000,8.50 GB"})
    void bytesAreInTheUnitsThatCablesAreSoldIn(long bytes, String text) {
        assertThat(Figures.bytes(bytes)).isEqualTo(text);
    }

    @Test
    void textFromOutsideCannotLeaveItsPlace() {
        assertThat(Figures.escape("<b onclick='x'>\"&\u0007")).isEqualTo("&lt;b onclick=&#39;x&#39;&gt;&quot;&amp; ");
    }

    @Test
    void aShareOfNothingIsNotANumber() {
        assertThat(Figures.percent(0, 0)).isEqualTo("–");
        assertThat(Figures.percent(1, 4)).isEqualTo("25 %");
    }
}
