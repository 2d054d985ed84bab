package io.boltshuffle.proof.bench.report;

import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.List;
import java.util.Locale;

/**
 * What stands around bars and curves: title, legend, and a vertical axis that begins at zero.
 *
 * @param bottom room below the horizontal axis
 * @param most the highest value
 */
record ChartFrame(double height, double bottom, double most) {
    static final double WIDTH = 960;
    static final double LEFT = 56;
    static final int TICKS = 4;

    private static final double TOP = 44;

    /** The vertical axis ends there. */
    double ceiling() {
        return niceCeiling(most);
    }

    double y(double value) {
        return TOP + (height - TOP - bottom) * (1 - value / ceiling());
    }

    /** The floor of the bars, where the horizontal axis is. */
    double floor() {
        return height - bottom;
    }

    /** @param format of the figures beside the axis */
    void draw(Svg svg, String title, String format) {
        svg.text(Look.style("title"), Anchor.START, new Point(LEFT, 16), title);
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = ceiling() * tick / TICKS;
            double y = y(value);
            svg.line(Look.style("grid"), new Segment(new Point(LEFT, y), new Point(WIDTH, y)));
            svg.text(Look.PLAIN, Anchor.END, new Point(LEFT - 6, y + 4), String.format(Locale.ROOT, format, value));
        }
    }

    /** A square of each colour, and what it stands for. */
    static void legend(Svg svg, List<String> labels, List<String> colours) {
        double x = LEFT;
        for (int i = 0; i < labels.size(); i++) {
            svg.rectangle(fill(colours, i), new Area(x, 24, 10, 10));
            svg.text(Look.PLAIN, Anchor.START, new Point(x + 14, 33), labels.get(i));
            x += 40 + 7 * labels.get(i).length();
        }
    }

    static Look fill(List<String> colours, int index) {
        return Look.PLAIN.with("fill", colours.get(index % colours.size()));
    }

    String asSvg(Svg svg, String title) {
        return svg.inPage(Look.PLAIN, title, WIDTH, height);
    }

    /** The least of 1, 2, 5, 10, 20, ... that is not less. */
    static double niceCeiling(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (int factor : new int[] {1, 2, 5}) {
            if (value <= factor * power) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
