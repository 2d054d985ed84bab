package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.BarChart;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of {@code bolt bench job}.
 *
 * @param circumstances what was run and where, in a line
 * @param network what the network between the hosts, and the cables, were held to; empty for the loopback network
 */
public record ComparisonReport(
        String circumstances,
        Optional<HeldNetwork> network,
        MachineState before,
        MachineState after,
        List<Measured> measured)
        implements ClusterCommand.Report {
    private static final List<String> WALL_COLUMNS = List.of("", "wall s", "stock", "ratio");

    private static final List<String> OTHER_COLUMNS = List.of(
            "CPU s",
            "stock",
            "ratio",
            "tasks",
            "stock",
            "agents",
            "emulator",
            "wait",
            "stock",
            "GC s",
            "stock",
            "heap MB",
            "stock",
            "remote MB",
            "by RDMA",
            "aim");

    private static final String EXPLANATION =
            "Medians (least .. most). CPU is that of executors and agents; the emulator's, which real cables do not "
                    + "use, is shown apart and not counted, but takes its part of the same cores. tasks: CPU of the "
                    + "threads that run them, without compilers, collectors and threads that fetch. wait: the part of "
                    + "the tasks' time in which they waited for blocks. GC: of the "
                    + "executors, each once. heap: what they allocated on it.";

    public static ComparisonReport of(
                String circumstances,
            Optional<HeldNetwork> network,
            MachineState before,
            List<Measured> measured) {
        return new ComparisonReport(circumstances, network, before, MachineState.now(), List.copyOf(measured));
    }

    List<Comparison> comparisons() {
        return Comparison.of(measured);
    }

    @Override
    public String toText() {
        return String.join(
                System.lineSeparator(),
                circumstances,
                HeldNetwork.toText(network),
                table().toText(),
                "",
                remarks(),
                "",
                EXPLANATION,
                "aim: " + Comparison.AIM,
                "before: " + before.toText(),
                "after:  " + after.toText());
    }

    /** Returns the totals, and what cannot be compared, because a run ended before its time. */
    private String remarks() {
        List<Comparison> comparisons = comparisons();
        return Stream.concat(
                        comparisons.isEmpty()
                                ? Stream.of()
                                : Stream.of(Totals.of(comparisons).toText()),
                        Comparison.unpaired(measured).stream().map(each -> "not compared: " + each.summary()))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("circumstances", circumstances);
        network.ifPresent(held -> json.put("network", held.toJson()));
        json.put("aim", Comparison.AIM);
        json.put("before", before.toJson());
        json.put("after", after.toJson());
        List<Comparison> comparisons = comparisons();
        json.put(
                "comparisons",
                comparisons.stream().map(Comparison::toJson).toList());
        if (!comparisons.isEmpty()) {
            json.put("total", Totals.of(comparisons).toJson());
        }
        List<Measured> unpaired = Comparison.unpaired(measured);
        if (!unpaired.isEmpty()) {
            json.put("unpaired", unpaired.stream().map(Measured::toJson).toList());
        }
        json.put("faults", faults());
        return json;
    }

    @Override
    public List<String> faults() {
        List<Comparison> comparisons = comparisons();
        return Stream.concat(
                        comparisons.stream().flatMap(comparison -> comparison.fault().stream()),
                        comparisons.stream()
                                .filter(comparison -> !comparison.holds())
                                .map(comparison -> comparison.title() + " misses the aim that " + Comparison.AIM))
                .toList();
    }

    public String toHtml() {
        List<String> content = new ArrayList<>();
        content.add(Html.paragraph(circumstances));
        content.add(Html.paragraph(HeldNetwork.toText(network)));
        content.add(Html.paragraph(EXPLANATION));
        content.add(Html.paragraph("aim: " + Comparison.AIM));
        content.add(chart(
                "Wall time",
                "s",
                List.of("wall"),
                figures -> List.of(figures.wallSeconds().median())));
        content.add(chart("CPU", "s", List.of("executors", "agents", "emulator"), ComparisonReport::cpuParts));
        content.add(chart(
                "Waiting for blocks",
                "% of the tasks' time",
                List.of("wait"),
                figures -> List.of(100 * figures.fetchWaitShare().median())));
        content.add(table().toHtml());
        content.add(Html.paragraph(remarks()));
        faults().forEach(fault -> content.add(Html.paragraph(fault)));
        content.add(Html.heading("Machine"));
        content.add(Html.paragraph("before: " + before.toText()));
        content.add(Html.paragraph("after: " + after.toText()));
        return Html.page("bolt bench job", content);
    }

    private String chart(
            String title, String unit, List<String> parts, Function<VariantFigures, List<Double>> quantity) {
        List<BarChart.Group> groups = comparisons().stream()
                .map(comparison -> new BarChart.Group(
                        comparison.title(),
                        List.of(
                                new BarChart.Bar("S", quantity.apply(comparison.stock())),
                                new BarChart.Bar("b", quantity.apply(comparison.boltshuffle())))))
                .toList();
        return new BarChart(title + ", S stock, b boltshuffle", unit, parts, groups).toSvg();
    }

    private static List<Double> cpuParts(VariantFigures figures) {
        double agents = figures.agentCpuSeconds().median();
        return List.of(
                figures.cpuSeconds().median() - agents,
                agents,
                figures.emulatorCpuSeconds().median());
    }

    private TextTable table() {
        List<Comparison> comparisons = comparisons();
        List<Contender> beside = comparisons.stream()
                .flatMap(comparison -> comparison.beside().keySet().stream())
                .distinct()
                .toList();
        List<String> columns = new ArrayList<>(WALL_COLUMNS);
        beside.forEach(contender -> columns.addAll(List.of(contender.title(), "ratio")));
        columns.addAll(OTHER_COLUMNS);
        return new TextTable(
                columns,
                comparisons.stream().map(comparison -> row(comparison, beside)).toList());
    }

    private List<String> row(Comparison comparison, List<Contender> beside) {
        List<String> row = new ArrayList<>(List.of(
                comparison.title(),
                spread(comparison.boltshuffle().wallSeconds()),
                spread(comparison.stock().wallSeconds()),
                format("%.2f", comparison.wallRatio())));
        for (Contender contender : beside) {
            VariantFigures figures = comparison.beside().get(contender);
            row.add(figures == null ? "-" : spread(figures.wallSeconds()));
            row.add(figures == null ? "-" : format("%.2f", comparison.wallRatio(contender)));
        }
        row.addAll(others(comparison));
        return row;
    }

    private List<String> others(Comparison comparison) {
        VariantFigures bolt = comparison.boltshuffle();
        VariantFigures stock = comparison.stock();
        return List.of(
                spread(bolt.cpuSeconds()),
                spread(stock.cpuSeconds()),
                format("%.2f", comparison.cpuRatio()),
                format("%.2f", bolt.taskCpuSeconds().median()),
                format("%.2f", stock.taskCpuSeconds().median()),
                format("%.2f", bolt.agentCpuSeconds().median()),
                format("%.2f", bolt.emulatorCpuSeconds().median()),
                percent(bolt.fetchWaitShare().median()),
                percent(stock.fetchWaitShare().median()),
                format("%.2f", bolt.gcSeconds().median()),
                format("%.2f", stock.gcSeconds().median()),
                format("%.0f", bolt.allocatedMegabytes().median()),
                format("%.0f", stock.allocatedMegabytes().median()),
                format("%.1f", bolt.remoteMegabytes().median()),
                percent(bolt.rdmaShare()),
                comparison.holds() ? "holds" : "MISSED");
    }

    private static String spread(Samples samples) {
        return String.format(Locale.ROOT, "%.2f (%.2f .. %.2f)", samples.median(), samples.least(), samples.most());
    }

    private static String percent(double share) {
        return format("%.1f%%", 100 * share);
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? percent(share.getAsDouble()) : "unknown";
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
