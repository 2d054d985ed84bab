package io.boltshuffle.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
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
