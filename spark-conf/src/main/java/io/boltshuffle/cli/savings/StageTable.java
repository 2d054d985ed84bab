package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.savings.Savings.Line;
import io.boltshuffle.cli.savings.log.ApplicationSums;
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
    private static final int LONGEST_NAME = 30;
    private static final int MOST_STAGES = 12;

    private record Column(String title, Function<List<Line>, String> cell) {}

    /** The columns, as many as a window holds; programs get every figure. */
    private static final List<Column> COLUMNS = List.of(
            new Column(
                    "tasks",
                    lines -> Long.toString(sum(lines, stage -> stage.tasks().ended()))),
            new Column("writer", StageTable::writer),
            new Column(
                    "written", lines -> bytes(sum(lines, stage -> stage.write().bytes()))),
            new Column(
                    "write s",
                    lines -> seconds(sum(lines, stage -> stage.write().nanos()) / 1e9)),
            new Column("remote", lines -> bytes(sum(lines, stage -> stage.read().remoteBytes()))),
            new Column(
                    "wait s", lines -> seconds(sum(lines, stage -> stage.read().waitMillis()) / 1e3)),
            new Column(
                    "saved s",
                    lines -> seconds(lines.stream()
                            .map(line -> line.estimate().taskSeconds())
                            .reduce(Range.NONE, Range::plus))),
            new Column(
                    "of job s",
                    lines -> seconds(lines.stream()
                            .map(line -> line.estimate().jobSeconds())
                            .reduce(Range.NONE, Range::plus))));

    private StageTable() {}

    static boolean shuffles(StageSums stage) {
        return stage.write().bytes() > 0
                || stage.read().localBytes() + stage.read().remoteBytes() > 0
                || stage.shuffleSeconds() > 0;
    }

    static TextTable of(Savings savings) {
        List<String> header = new ArrayList<>(List.of("stage"));
        COLUMNS.forEach(column -> header.add(column.title()));
        List<Line> lines = savings.shuffleStages();
        int shown = Math.min(lines.size(), MOST_STAGES);
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines.subList(0, shown)) {
            rows.add(row(title(line, savings), List.of(line)));
        }
        if (shown < lines.size()) {
            List<Line> rest = lines.subList(shown, lines.size());
            rows.add(row(rest.size() + " more stages", rest));
        }
        rows.add(row("all", lines));
        return new TextTable(header, rows);
    }

    /** Returns what one stage is called, with its application where there are several. */
    private static String title(Line line, Savings savings) {
        StageSums stage = line.estimate().stage();
        ApplicationSums application = line.application().application();
        String own = stage.id() + " " + stage.name();
        if (savings.applications().size() == 1) {
            return shortened(own);
        }
        return shortened((savings.hasOwnName(application) ? application.name() : application.id()) + " " + own);
    }

    /** Returns a name without line breaks, which stages of streaming queries have. */
    static String oneLine(String name) {
        return name.strip().replaceAll("\\s+", " ");
    }

    static String shortened(String words) {
        String name = oneLine(words);
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

    private static List<String> row(String title, List<Line> lines) {
        List<String> row = new ArrayList<>(List.of(title));
        COLUMNS.forEach(column -> row.add(column.cell().apply(lines)));
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

    /** Returns the writer of one stage; several have none together. */
    private static String writer(List<Line> lines) {
        return lines.size() == 1
                ? lines.get(0).estimate().stage().write().writer().label()
                : "";
    }
}
