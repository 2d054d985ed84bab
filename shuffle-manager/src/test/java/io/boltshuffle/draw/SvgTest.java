package io.boltshuffle.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.List;
import org.junit.jupiter.api.Test;

class SvgTest {
    private static final String HOSTILE = "<b onclick='x'>\"&\u0007";
    private static final String HARMLESS = "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp; ";

    @Test
    void textFromOutsideCannotLeaveItsPlace() {
        assertThat(Markup.escape(HOSTILE)).isEqualTo(HARMLESS);
        assertThat(Markup.row("td", List.of(HOSTILE))).isEqualTo("<tr><td>" + HARMLESS + "</td></tr>\n");
        assertThat(new Svg()
                        .text(Look.style(HOSTILE), Anchor.END, new Point(1, 2), HOSTILE)
                        .inPage(Look.PLAIN, HOSTILE, 10, 20))
                .isEqualTo("<svg role=\"img\" aria-label=\"" + HARMLESS + "\" viewBox=\"0 0 10 20\">\n<text class=\""
                        + HARMLESS + "\" text-anchor=\"end\" x=\"1\" y=\"2\">" + HARMLESS + "</text>\n</svg>");
    }

    @Test
    void aShapeHasItsPlaceItsLookAndItsTip() {
        Svg svg = new Svg()
                .rectangle(Look.style("host").rounded(8), Area.around(new Point(10, 10), 5, 4))
                .line(Look.PLAIN.tip("a cable"), new Segment(new Point(0, 0), new Point(1.25, 3)));

        assertThat(svg.asFile("title", "", 20, 20)).contains("""
                <rect class="host" rx="8" x="7.5" y="8" width="5" height="4"/>
                <line x1="0" y1="0" x2="1.3" y2="3"><title>a cable</title></line>
                """);
    }

    @Test
    void aSegmentMovesSidewaysAsAWhole() {
        Segment moved = new Segment(new Point(0, 0), new Point(10, 0)).aside(3);

        assertThat(moved).isEqualTo(new Segment(new Point(0, 3), new Point(10, 3)));
    }
}
