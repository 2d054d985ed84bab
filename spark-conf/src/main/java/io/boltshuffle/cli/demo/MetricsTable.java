package io.boltshuffle.cli.demo;

import io.boltshuffle.draw.Figures;
import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

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
        table.line("wall time", run -> Figures.seconds(run.wallMillis() / 1e3));
        for (Figure figure : Figure.of(report.runs())) {
            table.line(figure.label(), run -> cell(figure, run));
        }
        table.line("share by rdma", run -> {
            OptionalDouble share = run.rdmaShare();
            return share.isPresent() ? Figure.percent(share.getAsDouble()) : NOT_APPLICABLE;
        });
        table.line(
                "agents and cables CPU", run -> Figures.seconds(run.agentCpu().toMillis() / 1e3));
        table.line("output", run -> run.valid() ? "valid" : "WRONG");
        return new TextTable(table.lines.get(0), table.lines.subList(1, table.lines.size())).toText();
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
}
