package io.boltshuffle.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats a report as one table: a column for each run, a line for each figure. */
public final class MetricsTable {
    private static final String NOT_APPLICABLE = "-";
    private static final String MISSING = "missing";

    private final List<DemoRun> runs;
    private final List<List<String>> lines = new ArrayList<>();

    private MetricsTable(List<DemoRun> runs) {
        this.runs = runs;
    }

    public static String of(DemoReport report) {
        MetricsTable table = new MetricsTable(report.runs());
        table.line("", DemoRun::workload);
        table.line("", run -> run.variant().label());
        table.line("wall time", run -> Figure.seconds(run.wallMillis() / 1e3));
        for (Figure figure : Figure.of(report.runs())) {
            table.line(figure.label(), run -> cell(figure, run));
        }
        table.line("share by rdma", run -> {
            OptionalDouble share = run.rdmaShare();
            return share.isPresent() ? Figure.percent(share.getAsDouble()) : NOT_APPLICABLE;
        });
        table.line("agents and cables CPU", run -> Figure.seconds(run.agentCpu().toMillis() / 1e3));
        table.line("output", run -> run.valid() ? "valid" : "WRONG");
        return table.render();
    }

    private static String cell(Figure figure, DemoRun run) {
        if (!figure.appliesTo(run)) {
            return NOT_APPLICABLE;
        }
        return figure.of(run).stream().mapToObj(figure.format()).findFirst().orElse(MISSING);
    }

    private void line(String label, Function<DemoRun, String> cell) {
        List<String> line = new ArrayList<>(List.of(label));
        runs.stream().map(cell).forEach(line::add);
        lines.add(line);
    }

    /** Aligns labels to the left, figures to the right. */
    private String render() {
        int columns = runs.size() + 1;
        int[] width = IntStream.range(0, columns)
                .map(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return lines.stream()
                .map(line -> IntStream.range(0, columns)
                        .mapToObj(column -> pad(line.get(column), width[column], column > 0))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String pad(String text, int width, boolean right) {
        String space = " ".repeat(width - text.length());
        return right ? space + text : text + space;
    }
}
