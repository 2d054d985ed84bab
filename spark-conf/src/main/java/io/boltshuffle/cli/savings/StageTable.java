package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.savings.SavingsReport.Line;
import io.boltshuffle.cli.savings.log.StageSums;
import io.boltshuffle.cli.savings.model.Range;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The stages as a table, largest first, with a sum of those that are not shown and one of all. */
final class StageTable {
    private static final int LONGEST_NAME = 36;

    /** How much is shown. */
    enum Detail {
        SHORT(12),
        FULL(200);

        private final int stages;

        Detail(int stages) {
            this.stages = stages;
        }
    }

    /** A column of the table, and whether only the page has it. */
    private record Column(String title, boolean full, Function<List<Line>, String> cell) {}

    private static final List<Column> COLUMNS = List.of(
            new Column(
                    "tasks",
                    false,
                    lines -> Long.toString(sum(lines, stage -> stage.tasks().ended()))),
            new Column(
                    "ran s",
                    true,
                    lines -> seconds(sum(lines, stage -> stage.tasks().millis()) / 1e3)),
            new Column(
                    "writer",
                    false,
                    lines -> only(lines, stage -> stage.write().writer().label())),
            new Column(
                    "partitions",
                    false,
                    lines -> only(
                            lines,
                            stage -> stage.write().partitions().isEmpty()
                                    ? ""
                                    : Integer.toString(
                                            stage.write().partitions().getAsInt()))),
            new Column(
                    "written",
                    false,
                    lines -> bytes(sum(lines, stage -> stage.write().bytes()))),
            new Column(
                    "records",
                    true,
                    lines -> Long.toString(sum(lines, stage -> stage.write().records()))),
            new Column(
                    "temp files",
                    false,
                    lines -> Long.toString(sum(lines, stage -> stage.write().temporaryFiles()))),
            new Column(
                    "spilled",
                    true,
                    lines -> bytes(sum(lines, stage -> stage.spill().diskBytes()))),
            new Column(
                    "write s",
                    false,
                    lines -> seconds(sum(lines, stage -> stage.write().nanos()) / 1e9)),
            new Column(
                    "local",
                    false,
                    lines -> bytes(sum(lines, stage -> stage.read().localBytes()))),
            new Column(
                    "remote",
                    false,
                    lines -> bytes(sum(lines, stage -> stage.read().remoteBytes()))),
            new Column(
                    "requests s",
                    true,
                    lines -> seconds(sum(lines, stage -> stage.read().requestMillis()) / 1e3)),
            new Column(
                    "wait s",
                    false,
                    lines -> seconds(sum(lines, stage -> stage.read().waitMillis()) / 1e3)),
            new Column(
                    "would go s",
                    false,
                    lines -> seconds(lines.stream()
                            .map(line -> line.estimate().taskSeconds())
                            .reduce(Range.NONE, Range::plus))),
            new Column(
                    "of job s",
                    false,
                    lines -> seconds(lines.stream()
                            .map(line -> line.estimate().jobSeconds())
                            .reduce(Range.NONE, Range::plus))));

    private StageTable() {}

    static boolean shuffles(StageSums stage) {
        return stage.write().bytes() > 0
                || stage.read().localBytes() + stage.read().remoteBytes() > 0
                || stage.shuffleSeconds() > 0;
    }

    static TextTable of(SavingsReport report, Detail detail) {
        List<Column> columns = COLUMNS.stream()
                .filter(column -> !column.full() || detail == Detail.FULL)
                .toList();
        List<String> header = new ArrayList<>(List.of("stage"));
        columns.forEach(column -> header.add(column.title()));
        List<Line> lines = report.shuffleStages();
        int shown = Math.min(lines.size(), detail.stages);
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines.subList(0, shown)) {
            rows.add(row(title(line, report.applications().size() > 1), columns, List.of(line)));
        }
        if (shown < lines.size()) {
            List<Line> rest = lines.subList(shown, lines.size());
            rows.add(row(rest.size() + " more stages", columns, rest));
        }
        rows.add(row("all", columns, lines));
        return new TextTable(header, rows);
    }

    /** Returns what one stage is called, with its application where there are several. */
    static String title(Line line, boolean several) {
        StageSums stage = line.estimate().stage();
        String own = stage.id() + " " + stage.name();
        return shortened(several ? line.application().application().name() + " " + own : own);
    }

    static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 3) + "...";
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    /** Returns both ends, or one figure where they do not differ. */
    static String seconds(Range range) {
        String low = seconds(range.low());
        String high = seconds(range.high());
        return low.equals(high) ? low : low + " to " + high;
    }

    private static List<String> row(String title, List<Column> columns, List<Line> lines) {
        List<String> row = new ArrayList<>(List.of(title));
        columns.forEach(column -> row.add(column.cell().apply(lines)));
        return row;
    }

    private static String bytes(long bytes) {
        return ByteFigures.bytes(bytes);
    }

    private static long sum(List<Line> lines, ToLongFunction<StageSums> figure) {
        return lines.stream()
                .mapToLong(line -> figure.applyAsLong(line.estimate().stage()))
                .sum();
    }

    /** Returns the words for one stage; several have none together. */
    private static String only(List<Line> lines, Function<StageSums, String> words) {
        return lines.size() == 1 ? words.apply(lines.get(0).estimate().stage()) : "";
    }
}
