package io.boltshuffle.spark.ui;

import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.draw.Markup;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Draws bytes per second over time as stacked bars: RDMA at the bottom, then Netty by reason. */
final class TrafficChart {
    private static final double WIDTH = 1240;
    private static final double HEIGHT = 190;
    private static final double LEFT = 84;
    private static final double BOTTOM = 24;
    private static final double TOP = 10;
    private static final int REASON_COLOURS = 6;

    private final List<Picture.Sample> samples;
    private final List<String> reasons;
    private final long endMillis;

    /** @param nowMillis where the axis ends, though the newest sample may be older */
    TrafficChart(List<Picture.Sample> samples, long nowMillis) {
        this.samples = samples;
        this.endMillis = Math.max(
                nowMillis,
                samples.isEmpty() ? 0 : samples.get(samples.size() - 1).timeMillis());
        TreeSet<String> names = new TreeSet<>();
        samples.forEach(sample -> names.addAll(sample.nettyBytes().keySet()));
        this.reasons = new ArrayList<>(names);
    }

    /** Returns the drawing; empty while nothing has moved. */
    String html() {
        double top = highest();
        if (top == 0) {
            return "";
        }
        Svg svg = new Svg();
        grid(top, svg);
        for (int index = 1; index < samples.size(); index++) {
            bars(samples.get(index - 1), samples.get(index), top, svg);
        }
        return svg.inPage(Look.style("bolt-chart"), "Bytes per second over time", WIDTH, HEIGHT) + legend();
    }

    private double highest() {
        double highest = 0;
        for (int index = 1; index < samples.size(); index++) {
            Picture.Sample before = samples.get(index - 1);
            Picture.Sample sample = samples.get(index);
            double bytes = rate(before, sample, sample.rdmaBytes() - before.rdmaBytes());
            for (String reason : reasons) {
                bytes += rate(before, sample, growth(before, sample, reason));
            }
            highest = Math.max(highest, bytes);
        }
        return highest;
    }

    private void bars(Picture.Sample before, Picture.Sample sample, double top, Svg svg) {
        double from = x(before.timeMillis());
        double width = Math.max(0.8, x(sample.timeMillis()) - from);
        double base = bar(
                "rdma",
                from,
                width,
                HEIGHT - BOTTOM,
                rate(before, sample, sample.rdmaBytes() - before.rdmaBytes()),
                top,
                svg);
        for (int reason = 0; reason < reasons.size(); reason++) {
            double bytes = rate(before, sample, growth(before, sample, reasons.get(reason)));
            base = bar(style(reason), from, width, base, bytes, top, svg);
        }
    }

    /** @return the upper edge */
    private static double bar(String style, double x, double width, double base, double rate, double top, Svg svg) {
        double height = (HEIGHT - BOTTOM - TOP) * rate / top;
        if (height > 0.05) {
            svg.rectangle(
                    Look.style("bolt-bar " + style).tip(ByteFigures.rate(rate)),
                    new Area(x, base - height, width, height));
        }
        return base - Math.max(0, height);
    }

    private void grid(double top, Svg svg) {
        for (int part = 0; part <= 2; part++) {
            double y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part / 2;
            svg.line(Look.style("bolt-grid"), new Segment(new Point(LEFT, y), new Point(WIDTH, y)));
            svg.text(Look.style("bolt-axis"), Anchor.END, new Point(LEFT - 8, y + 4), ByteFigures.rate(top * part / 2));
        }
        time(samples.get(0).timeMillis(), Anchor.START, svg);
        time(endMillis, Anchor.END, svg);
    }

    private void time(long timeMillis, Anchor anchor, Svg svg) {
        svg.text(Look.style("bolt-axis"), anchor, new Point(x(timeMillis), HEIGHT - 6), Figures.time(timeMillis));
    }

    private String legend() {
        StringBuilder html = new StringBuilder("<div class=\"bolt-legend\">");
        html.append("<span>most: " + Markup.escape(ByteFigures.rate(highest())) + "</span>");
        html.append("<span><i class=\"rdma\"></i>RDMA</span>");
        for (int reason = 0; reason < reasons.size(); reason++) {
            html.append("<span><i class=\"" + style(reason) + "\"></i>TCP: "
                    + Markup.escape(Figures.words(reasons.get(reason))) + "</span>");
        }
        return html.append("</div>").toString();
    }

    private double x(long timeMillis) {
        long first = samples.get(0).timeMillis();
        long span = Math.max(1, endMillis - first);
        return LEFT + (WIDTH - LEFT) * (timeMillis - first) / span;
    }

    private static String style(int reason) {
        return "reason" + reason % REASON_COLOURS;
    }

    private static long growth(Picture.Sample before, Picture.Sample sample, String reason) {
        return sample.nettyBytes().getOrDefault(reason, 0L)
                - before.nettyBytes().getOrDefault(reason, 0L);
    }

    private static double rate(Picture.Sample before, Picture.Sample sample, long bytes) {
        return sample.rateSince(before, bytes);
    }
}
