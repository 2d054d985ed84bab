package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of {@code bolt bench blocks}.
 *
 * @param network what the network between the hosts, and the cables, were held to; empty for the loopback network
 */
public record BlocksReport(
        String spark,
        CableKind cables,
        Optional<HeldNetwork> network,
        MachineState before,
        MachineState after,
        List<BlocksPoint> points)
        implements ClusterCommand.Report {
    private static final List<String> COLUMNS = List.of(
            "blocks",
            "bytes",
            "ms",
            "stock",
            "ratio",
            "p99 ms",
            "stock",
            "CPU s/GB",
            "stock",
            "ratio",
            "emulator",
            "heap",
            "stock",
            "by RDMA");

    private static final String EXPLANATION =
            "Medians. A task of one host reads a broadcast of the driver, which runs on the other, and partitions that"
                    + " are cached there; the driver collects the result of a task. Times contain what Spark makes of"
                    + " the bytes, and for results the whole job. CPU is that of driver, executors and agents; the"
                    + " emulator's, which real cables do not use, is shown apart and not counted, but takes its part of"
                    + " the same cores. heap: how many times the bytes were allocated on the reader's heap.";

    @Override
    public String toText() {
        return String.join(
                System.lineSeparator(),
                circumstances(),
                HeldNetwork.toText(network),
                table().toText(),
                "",
                EXPLANATION,
                "before: " + before.toText(),
                "after:  " + after.toText());
    }

    public String toHtml() {
        return Html.page(
                "bolt bench blocks",
                List.of(
                        Html.paragraph(circumstances()),
                        Html.paragraph(HeldNetwork.toText(network)),
                        table().toHtml(),
                        Html.paragraph(EXPLANATION),
                        Html.heading("Machine"),
                        Html.paragraph("before: " + before.toText()),
                        Html.paragraph("after: " + after.toText())));
    }

    private String circumstances() {
        return "Spark " + spark + ", " + cables.label() + " cables, stock and spark.boltshuffle.blocks=all by turns";
    }

    private TextTable table() {
        return new TextTable(COLUMNS, points.stream().map(BlocksReport::row).toList());
    }

    private static List<String> row(BlocksPoint point) {
        BlocksPoint.Figures ours = point.boltshuffle();
        BlocksPoint.Figures stock = point.stock();
        return List.of(
                point.work().label(),
                ByteFigures.bytes(point.bytes()),
                text("%.1f", ours.millis()),
                text("%.1f", stock.millis()),
                format("%.2f", point.timeRatio()),
                format("%.1f", ours.p99Millis()),
                format("%.1f", stock.p99Millis()),
                text("%.2f", ours.cpuSecondsPerGigabyte()),
                text("%.2f", stock.cpuSecondsPerGigabyte()),
                point.cpuRatio().isPresent() ? format("%.2f", point.cpuRatio().getAsDouble()) : "",
                text("%.2f", ours.emulatorCpu()),
                text("%.2f", ours.heapRatio()),
                text("%.2f", stock.heapRatio()),
                format("%.0f%%", 100 * ours.rdmaShare().median()));
    }

    private static String text(String format, Samples samples) {
        return format(format, samples.median());
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spark", spark);
        json.put("cables", cables.label());
        network.ifPresent(held -> json.put("network", held.toJson()));
        json.put("before", before.toJson());
        json.put("after", after.toJson());
        json.put("points", points.stream().map(BlocksPoint::toJson).toList());
        return json;
    }

    /** What is measured has no faults: the figures of another machine differ, and the reader judges. */
    @Override
    public List<String> faults() {
        return List.of();
    }
}
