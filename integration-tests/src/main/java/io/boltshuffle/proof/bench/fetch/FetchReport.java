package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.BarChart;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import io.boltshuffle.proof.bench.report.SparkRelease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The results of {@code bolt bench fetch}.
 *
 * @param traces one for each setup, or none
 * @param skipped what this machine could not do, with the reason
 */
public record FetchReport(
        String sparkRelease,
        MachineState before,
        MachineState after,
        List<FetchPoint> points,
        List<TracedFetches> traces,
        List<String> skipped)
        implements ClusterCommand.Report {
    private static final List<String> COLUMNS = List.of(
            "blocks",
            "fetchers",
            "GB/s",
            "Netty",
            "ratio",
            "CPU s/GB",
            "Netty",
            "ratio",
            "limit",
            "exec",
            "agent",
            "emulator",
            "p50 ms",
            "Netty",
            "p99 ms",
            "Netty",
            "MB/GB",
            "Netty",
            "by RDMA");

    private static final String EXPLANATION =
            "Medians. CPU is that of both executors and both agents; the emulator's, which real cables do not use, is"
                    + " shown apart and not counted, but takes its part of the same cores. limit: what the ratio of CPU"
                    + " is wanted to be at most. MB/GB: allocated on the fetching executor's heap.";

    @Override
    public String toText() {
        List<String> text = new ArrayList<>();
        text.add(SparkRelease.described(sparkRelease));
        for (FetchSetup setup : setups()) {
            text.add(setup.title());
            text.add(table(setup).toText());
            text.add("");
        }
        for (TracedFetches traced : traces) {
            text.add(traced.toText());
            text.add("");
        }
        skipped.forEach(each -> text.add("skipped: " + each));
        text.add(EXPLANATION);
        text.add("before: " + before.toText());
        text.add("after:  " + after.toText());
        return String.join(System.lineSeparator(), text);
    }

    /**
     * Returns no faults. Limits are printed beside the figures, and the reader judges which of them this machine
     * misses.
     */
    @Override
    public List<String> faults() {
        return List.of();
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spark", sparkRelease);
        json.put("before", before.toJson());
        json.put("after", after.toJson());
        json.put("points", points.stream().map(FetchPoint::toJson).toList());
        if (!traces.isEmpty()) {
            json.put("traces", traces.stream().map(TracedFetches::toJson).toList());
        }
        json.put("skipped", skipped);
        return json;
    }

    public String toHtml() {
        List<String> content = new ArrayList<>();
        content.add(Html.paragraph(SparkRelease.described(sparkRelease) + ". " + EXPLANATION));
        for (FetchSetup setup : setups()) {
            content.add(Html.heading(setup.title()));
            content.add(
                    chart(setup, "Throughput", "GB/s", FetchReport::throughput).toSvg());
            content.add(cpuChart(setup).toSvg());
            content.add(chart(setup, "99th percentile of a request", "ms", FetchReport::p99)
                    .toSvg());
            content.add(table(setup).toHtml());
        }
        for (TracedFetches traced : traces) {
            content.add(Html.heading("One fetch, " + traced.setup().title()));
            content.add(traced.toHtml());
        }
        skipped.forEach(each -> content.add(Html.paragraph("skipped: " + each)));
        content.add(Html.heading("Machine"));
        content.add(Html.paragraph("before: " + before.toText()));
        content.add(Html.paragraph("after: " + after.toText()));
        return Html.page("bolt bench fetch", content);
    }

    private List<FetchSetup> setups() {
        return points.stream().map(FetchPoint::setup).distinct().toList();
    }

    private List<FetchPoint> of(FetchSetup setup) {
        return points.stream().filter(point -> point.setup().equals(setup)).toList();
    }

    private TextTable table(FetchSetup setup) {
        return new TextTable(COLUMNS, of(setup).stream().map(FetchReport::row).toList());
    }

    private static List<String> row(FetchPoint point) {
        RouteFigures bolt = point.boltshuffle();
        RouteFigures stock = point.stock();
        return List.of(
                ByteFigures.bytes(point.blockBytes()),
                Integer.toString(point.fetchers()),
                text("%.2f", bolt.gigabytesPerSecond()),
                text("%.2f", stock.gigabytesPerSecond()),
                format("%.2f", point.throughputRatio()),
                text("%.3f", bolt.cpuSecondsPerGigabyte()),
                text("%.3f", stock.cpuSecondsPerGigabyte()),
                format("%.2f", point.cpuRatio()),
                point.cpuRatioLimit().isPresent()
                        ? format("%.2f", point.cpuRatioLimit().getAsDouble())
                        : "",
                text("%.3f", bolt.executorCpu()),
                text("%.3f", bolt.agentCpu()),
                text("%.3f", bolt.emulatorCpu()),
                text("%.2f", bolt.p50Millis()),
                text("%.2f", stock.p50Millis()),
                text("%.2f", bolt.p99Millis()),
                text("%.2f", stock.p99Millis()),
                text("%.1f", bolt.allocatedMegabytesPerGigabyte()),
                text("%.1f", stock.allocatedMegabytesPerGigabyte()),
                format("%.0f%%", 100 * bolt.rdmaShare().least()));
    }

    private BarChart cpuChart(FetchSetup setup) {
        List<BarChart.Group> groups = of(setup).stream()
                .map(point -> new BarChart.Group(
                        label(point),
                        List.of(
                                new BarChart.Bar("N", cpuParts(point.stock())),
                                new BarChart.Bar("b", cpuParts(point.boltshuffle())))))
                .toList();
        return new BarChart("CPU, N Netty, b boltshuffle", "s/GB", List.of("executors", "agents", "emulator"), groups);
    }

    private static List<Double> cpuParts(RouteFigures figures) {
        return List.of(
                figures.executorCpu().median(),
                figures.agentCpu().median(),
                figures.emulatorCpu().median());
    }

    private BarChart chart(FetchSetup setup, String title, String unit, Function<RouteFigures, Double> quantity) {
        List<BarChart.Group> groups = of(setup).stream()
                .map(point -> new BarChart.Group(
                        label(point),
                        List.of(
                                new BarChart.Bar("N", List.of(quantity.apply(point.stock()))),
                                new BarChart.Bar("b", List.of(quantity.apply(point.boltshuffle()))))))
                .toList();
        return new BarChart(title + ", N Netty, b boltshuffle", unit, List.of(title), groups);
    }

    private static double throughput(RouteFigures figures) {
        return figures.gigabytesPerSecond().median();
    }

    private static double p99(RouteFigures figures) {
        return figures.p99Millis().median();
    }

    private static String label(FetchPoint point) {
        return ByteFigures.bytes(point.blockBytes()).replace(".0", "") + " x" + point.fetchers();
    }

    private static String text(String format, Samples samples) {
        return format(format, samples.median());
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
