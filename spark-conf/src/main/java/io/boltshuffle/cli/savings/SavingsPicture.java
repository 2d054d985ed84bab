package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.savings.SavingsReport.Line;
import io.boltshuffle.cli.savings.log.StageSums;
import io.boltshuffle.cli.savings.model.Range;
import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.List;

/**
 * Draws a bar for each of the largest stages: what its tasks waited for blocks and wrote. A bracket below the bar says
 * how much would go, from the low estimate to the high one, rows of SQL included, so that it may be the longer one.
 */
final class SavingsPicture {
    private static final int MOST_BARS = 12;
    private static final double WIDTH = 960;
    private static final double LEFT = 300;
    private static final double RIGHT = 190;
    private static final double TOP = 48;
    private static final double ROW = 34;
    private static final double BAR = 15;

    private SavingsPicture() {}

    /** Returns an {@code svg} element; the page's style sheet colours it, by day and by night. */
    static String of(SavingsReport report) {
        List<Line> all = report.shuffleStages();
        List<Line> lines = all.subList(0, Math.min(MOST_BARS, all.size()));
        double most = lines.stream()
                .mapToDouble(line -> Math.max(
                        line.estimate().stage().shuffleSeconds(),
                        line.estimate().taskSeconds().high()))
                .max()
                .orElse(0);
        Svg svg = new Svg();
        String title = "Where tasks waited and wrote, in seconds of all tasks, and what would go";
        svg.text(Look.style("title"), Anchor.START, new Point(0, 16), title);
        legend(svg);
        for (int i = 0; i < lines.size(); i++) {
            bar(svg, lines.get(i), report.applications().size() > 1, TOP + i * ROW, scale(most));
        }
        return svg.inPage(Look.PLAIN, title, WIDTH, TOP + Math.max(1, lines.size()) * ROW);
    }

    private static double scale(double most) {
        return (WIDTH - LEFT - RIGHT) / Math.max(most, Double.MIN_NORMAL);
    }

    private static void legend(Svg svg) {
        svg.rectangle(Look.style("wait"), new Area(LEFT, 26, 10, 10));
        svg.text(Look.style("label"), Anchor.START, new Point(LEFT + 14, 35), "wait for blocks");
        svg.rectangle(Look.style("write"), new Area(LEFT + 130, 26, 10, 10));
        svg.text(Look.style("label"), Anchor.START, new Point(LEFT + 144, 35), "write");
        svg.line(Look.style("least"), new Segment(new Point(LEFT + 205, 31), new Point(LEFT + 220, 31)));
        svg.line(Look.style("most"), new Segment(new Point(LEFT + 220, 31), new Point(LEFT + 245, 31)));
        svg.text(Look.style("label"), Anchor.START, new Point(LEFT + 250, 35), "would go: at least, at most");
    }

    private static void bar(Svg svg, Line line, boolean several, double top, double scale) {
        StageSums stage = line.estimate().stage();
        double wait = stage.read().waitMillis() / 1e3;
        double write = stage.write().nanos() / 1e9;
        Range gone = line.estimate().taskSeconds();
        svg.text(Look.style("label"), Anchor.END, new Point(LEFT - 8, top + BAR - 3), StageTable.title(line, several));
        svg.rectangle(
                Look.style("wait").tip("wait for blocks: " + StageTable.seconds(wait) + " s"),
                new Area(LEFT, top, wait * scale, BAR));
        svg.rectangle(
                Look.style("write").tip("write: " + StageTable.seconds(write) + " s"),
                new Area(LEFT + wait * scale, top, write * scale, BAR));
        double under = top + BAR + 4;
        svg.line(Look.style("least"), level(LEFT, LEFT + gone.low() * scale, under));
        svg.line(Look.style("most"), level(LEFT + gone.low() * scale, LEFT + gone.high() * scale, under));
        svg.text(
                Look.style("small"),
                Anchor.START,
                new Point(LEFT + (wait + write) * scale + 6, top + BAR - 3),
                StageTable.seconds(wait + write) + " s; would go: " + StageTable.seconds(gone));
    }

    private static Segment level(double from, double to, double y) {
        return new Segment(new Point(from, y), new Point(to, y));
    }
}
