package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.cli.cluster.ProcessFigures;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.BarChart;
import io.boltshuffle.proof.bench.report.MachineState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What agents held in each cluster, and the verdicts that follow. */
public record ScaleReport(
        String sparkRelease, ScalePlan plan, MachineState before, MachineState after, List<ScalePoint> points)
        implements ClusterCommand.Report {
    private static final String EXPLANATION =
            "Of the agent that had most: fresh / at its highest with few blocks / with many / at rest afterwards. "
                    + "Memory is all that is resident but the shared slab. Files that were read stay open for the next "
                    + "reader, up to a limit, and are not sockets. CPU: at rest, of one core, without the emulator's.";

    @Override
    public String toText() {
        return String.join(
                System.lineSeparator(),
                Stream.of(
                                Stream.of(circumstances(), table().toText(), "", EXPLANATION, ""),
                                Verdict.on(points).stream().map(Verdict::line),
                                Stream.of("before: " + before.toText(), "after:  " + after.toText()))
                        .flatMap(lines -> lines)
                        .toList());
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("circumstances", circumstances());
        json.put("before", before.toJson());
        json.put("after", after.toJson());
        json.put("points", points.stream().map(ScalePoint::toJson).toList());
        json.put("verdicts", Verdict.on(points));
        return json;
    }

    @Override
    public List<String> faults() {
        return Verdict.on(points).stream()
                .filter(verdict -> !verdict.holds())
                .map(Verdict::line)
                .toList();
    }

    public String toHtml() {
        List<String> content = new ArrayList<>();
        content.add(Html.paragraph(circumstances()));
        content.add(chart(
                "Throughput of all hosts",
                "GB/s",
                point -> point.gigabytesPerSecond().median()));
        for (AgentResource quantity : AgentResource.values()) {
            content.add(chart("Most of an agent, few blocks", quantity.label(), point -> quantity.in(point.few())));
            content.add(chart("Most of an agent, many blocks", quantity.label(), point -> quantity.in(point.many())));
        }
        content.add(table().toHtml());
        content.add(Html.paragraph(EXPLANATION));
        Verdict.on(points).forEach(verdict -> content.add(Html.paragraph(verdict.line())));
        content.add(Html.heading("Machine"));
        content.add(Html.paragraph("before: " + before.toText()));
        content.add(Html.paragraph("after: " + after.toText()));
        return Html.page("bolt bench scale", content);
    }

    private String chart(String title, String unit, ToDoubleFunction<ScalePoint> quantity) {
        List<BarChart.Group> groups = plan.hosts().stream()
                .map(hosts -> new BarChart.Group(
                        hosts + " hosts",
                        points.stream()
                                .filter(point -> point.hosts() == hosts)
                                .map(point -> new BarChart.Bar(
                                        Integer.toString(point.cablesPerPair()),
                                        List.of(quantity.applyAsDouble(point))))
                                .toList()))
                .toList();
        return new BarChart(title + ", by cables a pair", unit, List.of(title), groups).toSvg();
    }

    private String circumstances() {
        return "Spark " + sparkRelease + ", " + plan.cables().label() + " cables, " + ByteFigures.bytes(plan.bytes())
                + " in " + plan.few() + " and in " + plan.many() + " blocks";
    }

    private TextTable table() {
        List<String> columns =
                new ArrayList<>(List.of("hosts x cables", "GB/s (least .. most)", "by RDMA", "CPU at rest"));
        Stream.of(AgentResource.values()).map(AgentResource::label).forEach(columns::add);
        columns.add("file descriptors");
        return new TextTable(columns, points.stream().map(ScaleReport::row).toList());
    }

    private static List<String> row(ScalePoint point) {
        List<String> row = new ArrayList<>(List.of(
                point.hosts() + " x " + point.cablesPerPair(),
                String.format(
                        Locale.ROOT,
                        "%.2f (%.2f .. %.2f)",
                        point.gigabytesPerSecond().median(),
                        point.gigabytesPerSecond().least(),
                        point.gigabytesPerSecond().most()),
                point.rdmaShare().isPresent()
                        ? String.format(
                                Locale.ROOT, "%.1f%%", 100 * point.rdmaShare().getAsDouble())
                        : "unknown",
                String.format(Locale.ROOT, "%.2f%%", 100 * point.restCpuShare())));
        for (AgentResource quantity : AgentResource.values()) {
            row.add(course(point, quantity::in));
        }
        row.add(course(point, ProcessFigures::descriptors));
        return row;
    }

    private static String course(ScalePoint point, ToDoubleFunction<ProcessFigures> quantity) {
        return String.format(
                Locale.ROOT,
                "%.0f / %.0f / %.0f / %.0f",
                quantity.applyAsDouble(point.fresh()),
                quantity.applyAsDouble(point.few()),
                quantity.applyAsDouble(point.many()),
                quantity.applyAsDouble(point.rest()));
    }
}
