package io.boltshuffle.proof.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Draws curves over time as SVG.
 *
 * @param unit of the vertical axis, which begins at zero
 * @param lines each with at least one point
 */
public record LineChart(String title, String unit, List<Line> lines) {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 260;
    private static final int LEFT = 56;
    private static final int TOP = 44;
    private static final int BOTTOM = 28;
    private static final int TICKS = 4;
    /** People who cannot see red or green can tell these colours apart, too. */
    private static final List<String> COLOURS = List.of("#4c72b0", "#dd8452", "#55a868", "#8172b3", "#937860");

    /** A curve. */
    public record Line(String label, List<Point> points) {}

    /** A value at a time. */
    public record Point(double seconds, double value) {}

    /** Returns an {@code svg} element. */
    public String toSvg() {
        double end = Math.max(1, extent(true));
        double top = BarChart.niceCeiling(extent(false));
        List<String> svg = new ArrayList<>();
        svg.add("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">"
                .formatted(WIDTH, HEIGHT, Html.escape(title)));
        svg.add(Html.label(LEFT, 16, "start", "title", title + ", " + unit));
        axes(svg, end, top);
        int labelX = LEFT;
        for (int line = 0; line < lines.size(); line++) {
            svg.add(curve(lines.get(line), COLOURS.get(line % COLOURS.size()), end, top));
            svg.add("<rect x=\"%d\" y=\"24\" width=\"10\" height=\"10\" fill=\"%s\"/>"
                    .formatted(labelX, COLOURS.get(line % COLOURS.size())));
            svg.add(Html.label(labelX + 14, 33, "start", "", lines.get(line).label()));
            labelX += 40 + 7 * lines.get(line).label().length();
        }
        svg.add("</svg>");
        return String.join("\n", svg);
    }

    private static void axes(List<String> svg, double end, double top) {
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = top * tick / TICKS;
            double seconds = end * tick / TICKS;
            svg.add(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\"/>",
                    LEFT,
                    WIDTH,
                    y(value, top)));
            svg.add(Html.label(LEFT - 6, y(value, top) + 4, "end", "", String.format(Locale.ROOT, "%.4g", value)));
            String anchor = tick == TICKS ? "end" : "middle";
            svg.add(Html.label(
                    x(seconds, end), HEIGHT - 8, anchor, "small", String.format(Locale.ROOT, "%.0f s", seconds)));
        }
    }

    private double extent(boolean ofTime) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> ofTime ? point.seconds() : point.value())
                .max()
                .orElse(1);
    }

    private static String curve(Line line, String colour, double end, double top) {
        return "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" points=\"%s\"/>"
                .formatted(
                        colour,
                        line.points().stream()
                                .map(point -> String.format(
                                        Locale.ROOT, "%.1f,%.1f", x(point.seconds(), end), y(point.value(), top)))
                                .collect(Collectors.joining(" ")));
    }

    private static double x(double seconds, double end) {
        return LEFT + (WIDTH - LEFT) * seconds / end;
    }

    private static double y(double value, double top) {
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    }
}
