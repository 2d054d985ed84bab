package io.boltshuffle.proof.bench.report;

import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.List;
import java.util.Locale;

/**
 * Draws groups of stacked bars as SVG: {@code bars} stand side by side in each group, {@code parts} on each other in
 * each bar.
 *
 * @param unit of the vertical axis
 */
public record BarChart(String title, String unit, List<String> parts, List<Group> groups) {
    private static final double HEIGHT = 320;
    private static final double BOTTOM = 52;
    private static final Look SMALL = Look.style("small");
    /** Told apart by those who see no red or no green, too. */
    private static final List<String> COLOURS = List.of("#4c72b0", "#dd8452", "#bbbbbb", "#55a868");

    /** Bars that are compared with each other. */
    public record Group(String label, List<Bar> bars) {}

    /** @param values one for each part */
    public record Bar(String label, List<Double> values) {
        double sum() {
            return values.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** Returns an {@code svg} element. */
    public String toSvg() {
        double most = groups.stream()
                .flatMap(group -> group.bars().stream())
                .mapToDouble(Bar::sum)
                .max()
                .orElse(1);
        ChartFrame frame = new ChartFrame(HEIGHT, BOTTOM, most);
        Svg svg = new Svg();
        if (parts.size() > 1) {
            ChartFrame.legend(svg, parts, COLOURS);
        }
        frame.draw(svg, title + ", " + unit, "%.3g");
        double width = (ChartFrame.WIDTH - ChartFrame.LEFT) / Math.max(1, groups.size());
        for (int i = 0; i < groups.size(); i++) {
            group(svg, frame, groups.get(i), ChartFrame.LEFT + i * width, width);
        }
        return frame.asSvg(svg, title);
    }

    private static void group(Svg svg, ChartFrame frame, Group group, double left, double width) {
        double barWidth = width * 0.8 / Math.max(1, group.bars().size());
        for (int i = 0; i < group.bars().size(); i++) {
            Bar bar = group.bars().get(i);
            double x = left + width * 0.1 + i * barWidth;
            double below = 0;
            for (int part = 0; part < bar.values().size(); part++) {
                double value = bar.values().get(part);
                String tip = String.format(Locale.ROOT, "%s, %s: %.3g", group.label(), bar.label(), value);
                double top = frame.y(below + value);
                svg.rectangle(
                        ChartFrame.fill(COLOURS, part).tip(tip),
                        new Area(x, top, barWidth * 0.85, frame.y(below) - top));
                below += value;
            }
            double middle = x + barWidth * 0.42;
            svg.text(SMALL, Anchor.MIDDLE, new Point(middle, frame.floor() + 16), bar.label());
            String sum = String.format(Locale.ROOT, "%.2g", below);
            svg.text(SMALL, Anchor.MIDDLE, new Point(middle, frame.y(below) - 3), sum);
        }
        svg.text(Look.PLAIN, Anchor.MIDDLE, new Point(left + width / 2, frame.floor() + 36), group.label());
    }
}
