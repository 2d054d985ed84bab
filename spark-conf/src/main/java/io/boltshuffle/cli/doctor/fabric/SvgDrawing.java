package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.fabric.Diagram.Box;
import io.boltshuffle.cli.doctor.fabric.Diagram.Line;
import io.boltshuffle.cli.doctor.fabric.Diagram.Transport;
import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws a diagram as one SVG without outside assets. The background is transparent, and all text stands on a filled
 * shape, so that it is legible on a light and on a dark page. If the viewer says which it is, the colours follow.
 */
public final class SvgDrawing {

    private static final double PORT_SIZE = 10;
    private static final double PILL_HEIGHT = 18;
    private static final double CHAR_WIDTH = 6.3;
    private static final double PILL_PADDING = 14;
    private static final double GAP = 5;
    /** The distance from the middle of a label down to where its letters stand. */
    private static final double BASELINE = 4;
    /** Room in the legend for a piece of cable. */
    private static final double LEGEND_INK = 44;

    private static final Look PILL = Look.style("pill").rounded(9);

    private static final String STYLE = """
            text { font: 11px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1c2733; }
            .host { fill: #eef2f7; stroke: #5b6a7d; stroke-width: 1.5; }
            .title { font-size: 15px; font-weight: 600; }
            .pill { fill: #eef2f7; stroke: none; }
            .port { fill: #5b6a7d; }
            .cable { fill: none; stroke-width: 4; stroke-linecap: round; }
            .rdma { stroke: #1f9d55; }
            .tcp_over_cable { stroke: #d9822b; stroke-dasharray: 10 8; }
            .tcp { stroke: #8794a5; stroke-width: 1.5; stroke-dasharray: 2 7; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf5; }
              .host, .pill { fill: #26303c; }
              .host { stroke: #93a3b7; }
              .port { fill: #93a3b7; }
            }
            """;

    private final Diagram diagram;
    private final SvgLayout layout;
    private final Svg cables = new Svg();
    private final Svg labels = new Svg();

    private SvgDrawing(Diagram diagram) {
        this.diagram = diagram;
        this.layout = new SvgLayout(diagram.boxes().size());
    }

    public static String draw(Diagram diagram) {
        return new SvgDrawing(diagram).draw();
    }

    private String draw() {
        Map<Line, Segment> segments = new LinkedHashMap<>();
        diagram.lines().forEach(line -> segments.put(line, segment(line)));
        segments.forEach(this::cable);
        LabelPlacer placer = new LabelPlacer(segments.entrySet().stream()
                .filter(entry -> entry.getKey().transport() != Transport.TCP)
                .map(Map.Entry::getValue)
                .toList());
        segments.forEach((line, segment) -> {
            port(placer, segment, line.fromPort());
            port(placer, segment.reversed(), line.toPort());
        });
        segments.forEach((line, segment) -> speed(placer, segment, line.speed()));
        Svg svg = new Svg().add(cables);
        for (int i = 0; i < diagram.boxes().size(); i++) {
            box(svg, diagram.boxes().get(i), layout.center(i));
        }
        return svg.add(labels).add(legend()).asFile(summary(), STYLE, layout.width(), layout.height());
    }

    private Segment segment(Line line) {
        List<Line> siblings = diagram.lines().stream()
                .filter(other -> (other.from() == line.from() && other.to() == line.to())
                        || (other.from() == line.to() && other.to() == line.from()))
                .toList();
        double offset = siblings.indexOf(line) - (siblings.size() - 1) / 2.0;
        // Either end may come first in a line; parallel cables must not change sides with it.
        return layout.between(line.from(), line.to(), line.from() < line.to() ? offset : -offset);
    }

    private void cable(Line line, Segment segment) {
        cables.line(style(line.transport()), segment);
    }

    /** Draws a small socket on the edge of the host, and its label beside it on the cable. */
    private void port(LabelPlacer placer, Segment segment, String label) {
        if (label.isEmpty()) {
            return;
        }
        labels.rectangle(Look.style("port").rounded(2), Area.around(segment.from(), PORT_SIZE, PORT_SIZE));
        double width = pillWidth(label);
        Point direction = segment.direction();
        double reach =
                PORT_SIZE / 2 + GAP + Math.abs(direction.x()) * width / 2 + Math.abs(direction.y()) * PILL_HEIGHT / 2;
        pill(placer.nearStart(segment, reach, width, PILL_HEIGHT), label);
    }

    private void speed(LabelPlacer placer, Segment segment, String label) {
        if (!label.isEmpty()) {
            pill(placer.nearMiddle(segment, pillWidth(label), PILL_HEIGHT), label);
        }
    }

    private void pill(Point center, String label) {
        labels.rectangle(PILL, Area.around(center, pillWidth(label), PILL_HEIGHT));
        labels.text(Look.PLAIN, Anchor.MIDDLE, center.plus(0, BASELINE), label);
    }

    private static void box(Svg svg, Box box, Point center) {
        svg.rectangle(Look.style("host").rounded(10), Area.around(center, SvgLayout.BOX_WIDTH, SvgLayout.BOX_HEIGHT));
        svg.text(Look.style("title"), Anchor.MIDDLE, center.plus(0, -3), box.title());
        svg.text(Look.PLAIN, Anchor.MIDDLE, center.plus(0, 16), box.subtitle());
    }

    /** Draws a legend of the inks that were used. */
    private Svg legend() {
        List<Transport> used = diagram.lines().stream()
                .map(Line::transport)
                .distinct()
                .sorted()
                .toList();
        Svg svg = new Svg();
        double y = layout.height() - PILL_HEIGHT;
        double x = PILL_PADDING;
        for (Transport transport : used) {
            double words = pillWidth(transport.words());
            svg.rectangle(PILL, new Area(x, y - PILL_HEIGHT / 2, words + LEGEND_INK, PILL_HEIGHT));
            svg.line(style(transport), new Segment(new Point(x + 10, y), new Point(x + 42, y)));
            svg.text(Look.PLAIN, Anchor.MIDDLE, new Point(x + LEGEND_INK + words / 2, y + BASELINE), transport.words());
            x += words + LEGEND_INK + PILL_PADDING;
        }
        return svg;
    }

    private static Look style(Transport transport) {
        return Look.style("cable " + transport.name().toLowerCase(Locale.ROOT));
    }

    private String summary() {
        long cables = diagram.lines().stream()
                .filter(line -> line.transport() != Transport.TCP)
                .count();
        return diagram.boxes().size() + " hosts, " + cables + " cables";
    }

    private static double pillWidth(String label) {
        return label.length() * CHAR_WIDTH + PILL_PADDING;
    }
}
