package io.boltshuffle.proof.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws groups of stacked bars as SVG: {@code bars} stand side by side in each group, {@code parts} on each other in
 * each bar.
 *
 * @param unit of the vertical axis
 */
public record BarChart(String title, String unit, List<String> parts, List<Group> groups) {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 320;
    private static final int LEFT = 56;
    private static final int TOP = 44;
    private static final int BOTTOM = 52;
    private static final int TICKS = 4;
    /** People who cannot see red or green can tell these colours apart, too. */
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
        List<String> svg = new ArrayList<>();
        svg.add(String.format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, Html.escape(title)));
        svg.add(Html.label(LEFT, 16, "start", "title", title + ", " + unit));
        legend(svg);
        double most = groups.stream()
                .flatMap(group -> group.bars().stream())
                .mapToDouble(Bar::sum)
                .max()
                .orElse(1);
        double top = niceCeiling(most);
        axis(svg, top);
        double groupWidth = (WIDTH - LEFT) / (double) Math.max(1, groups.size());
        for (int i = 0; i < groups.size(); i++) {
            group(svg, groups.get(i), LEFT + i * groupWidth, groupWidth, top);
        }
        svg.add("</svg>");
        return String.join("\n", svg);
    }

    /** Returns the smallest of 1, 2, 5, 10, 20, ... that is not less. */
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

    private void legend(List<String> svg) {
        if (parts.size() < 2) {
            return;
        }
        int x = LEFT;
        for (int part = 0; part < parts.size(); part++) {
            svg.add(rectangle(x, 24, 10, 10, part, parts.get(part)));
            svg.add(Html.label(x + 14, 33, "start", "", parts.get(part)));
            x += 40 + 7 * parts.get(part).length();
        }
    }

    private static void axis(List<String> svg, double top) {
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = top * tick / TICKS;
            double y = y(value, top);
            svg.add(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    LEFT,
                    WIDTH,
                    y,
                    y));
            svg.add(Html.label(LEFT - 6, y + 4, "end", "", String.format(Locale.ROOT, "%.3g", value)));
        }
    }

    private static void group(List<String> svg, Group group, double left, double width, double top) {
        double barWidth = width * 0.8 / Math.max(1, group.bars().size());
        for (int i = 0; i < group.bars().size(); i++) {
            Bar bar = group.bars().get(i);
            double x = left + width * 0.1 + i * barWidth;
            double below = 0;
            for (int part = 0; part < bar.values().size(); part++) {
                double above = below + bar.values().get(part);
                String tip = String.format(
                        Locale.ROOT,
                        "%s, %s: %.3g",
                        group.label(),
                        bar.label(),
                        bar.values().get(part));
                svg.add(rectangle(x, y(above, top), barWidth * 0.85, y(below, top) - y(above, top), part, tip));
                below = above;
            }
            svg.add(Html.label(x + barWidth * 0.42, HEIGHT - BOTTOM + 16, "middle", "small", bar.label()));
            svg.add(Html.label(
                    x + barWidth * 0.42,
                    y(below, top) - 3,
                    "middle",
                    "small",
                    String.format(Locale.ROOT, "%.2g", below)));
        }
        svg.add(Html.label(left + width / 2, HEIGHT - BOTTOM + 36, "middle", "", group.label()));
    }

    private static double y(double value, double top) {
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    }

    private static String rectangle(double x, double y, double width, double height, int part, String tip) {
        return String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s</title></rect>",
                x,
                y,
                width,
                height,
                COLOURS.get(part % COLOURS.size()),
                Html.escape(tip));
    }
}
