package io.boltshuffle.proof.bench.report;

import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws curves over time as SVG.
 *
 * @param unit of the vertical axis, which begins at zero
 * @param lines each with at least one point
 */
public record LineChart(String title, String unit, List<Line> lines) {
    private static final double HEIGHT = 260;
    private static final double BOTTOM = 28;
    /** Told apart by those who see no red or no green, too. */
    private static final List<String> COLOURS = List.of("#4c72b0", "#dd8452", "#55a868", "#8172b3", "#937860");

    /** A curve. */
    public record Line(String label, List<Moment> moments) {}

    /** A value at a time. */
    public record Moment(double seconds, double value) {}

    /** Returns an {@code svg} element. */
    public String toSvg() {
        double end = Math.max(1, most(Moment::seconds));
        ChartFrame frame = new ChartFrame(HEIGHT, BOTTOM, most(Moment::value));
        Svg svg = new Svg();
        frame.draw(svg, title + ", " + unit, "%.4g");
        for (int tick = 0; tick <= ChartFrame.TICKS; tick++) {
            double seconds = end * tick / ChartFrame.TICKS;
            svg.text(
                    Look.style("small"),
                    tick == ChartFrame.TICKS ? Anchor.END : Anchor.MIDDLE,
                    new Point(x(seconds, end), HEIGHT - 8),
                    String.format(Locale.ROOT, "%.0f s", seconds));
        }
        for (int line = 0; line < lines.size(); line++) {
            Look look = Look.PLAIN
                    .with("fill", "none")
                    .with("stroke-width", "1.5")
                    .with("stroke", COLOURS.get(line % COLOURS.size()));
            svg.curve(
                    look,
                    lines.get(line).moments().stream()
                            .map(moment -> new Point(x(moment.seconds(), end), frame.y(moment.value())))
                            .toList());
        }
        ChartFrame.legend(svg, lines.stream().map(Line::label).toList(), COLOURS);
        return frame.asSvg(svg, title);
    }

    private double most(ToDoubleFunction<Moment> of) {
        return lines.stream()
                .flatMap(line -> line.moments().stream())
                .mapToDouble(of)
                .max()
                .orElse(1);
    }

    private static double x(double seconds, double end) {
        return ChartFrame.LEFT + (ChartFrame.WIDTH - ChartFrame.LEFT) * seconds / end;
    }
}
