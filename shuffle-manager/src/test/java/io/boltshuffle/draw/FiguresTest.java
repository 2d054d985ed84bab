package io.boltshuffle.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void aShareOfNothingIsNotANumber() {
        assertThat(Figures.percent(0, 0)).isEqualTo("–");
        assertThat(Figures.percent(1, 4)).isEqualTo("25 %");
    }
}
