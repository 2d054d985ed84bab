package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.proof.bench.report.LineChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the report with every resource's curve, as one page. */
final class SoakPage {
    private SoakPage() {}

    static String of(SoakReport report) {
        List<String> content = new ArrayList<>();
        report.toText()
                .lines()
                .takeWhile(line -> !line.isEmpty())
                .map(Html::paragraph)
                .forEach(content::add);
        report.faults().forEach(fault -> content.add(Html.paragraph("Violation: " + fault)));
        content.add(report.recoveries().table().toHtml());
        content.addAll(curves(report));
        content.add(report.trends().toHtml());
        for (WatchedResource quantity : WatchedResource.values()) {
            List<LineChart.Line> lines = report.series().stream()
                    .filter(series -> series.quantity() == quantity)
                    .map(series -> line(series))
                    .toList();
            if (!lines.isEmpty()) {
                content.add(new LineChart(quantity.label(), "by process", lines).toSvg());
            }
        }
        content.add(Html.heading("Faults"));
        report.events()
                .forEach(event -> content.add(Html.paragraph(String.format(
                        Locale.ROOT,
                        "%.1f s: %s, for %.1f s",
                        event.atSeconds(),
                        event.fault().label(),
                        event.seconds()))));
        return Html.page("bolt soak", content);
    }

    /** Draws when RDMA worked: a level stretch of the first curve is a time without it. */
    private static List<String> curves(SoakReport report) {
        List<LineChart.Moment> megabytes = report.arrivals().points().stream()
                .map(point -> new LineChart.Moment(point.seconds(), point.bytes() / 1e6))
                .toList();
        List<LineChart.Moment> recoveries = report.recoveries().each().stream()
                .flatMap(recovery -> recovery.seconds().stream()
                        .mapToObj(seconds -> new LineChart.Moment(recovery.mendedAtSeconds(), seconds)))
                .toList();
        List<String> charts = new ArrayList<>();
        if (!megabytes.isEmpty()) {
            charts.add(chart("came by RDMA so far", "MB", megabytes));
        }
        if (!recoveries.isEmpty()) {
            charts.add(chart("from a fault's end until a block came by RDMA", "s", recoveries));
        }
        return charts;
    }

    private static String chart(String title, String unit, List<LineChart.Moment> points) {
        return new LineChart(title, unit, List.of(new LineChart.Line("all hosts", points))).toSvg();
    }

    private static LineChart.Line line(Series series) {
        return new LineChart.Line(
                series.process(),
                series.points().stream()
                        .map(point -> new LineChart.Moment(
                                point.seconds(), series.quantity().inUnits(point.value())))
                        .toList());
    }
}
