package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.fabric.Diagram.Box;
import io.boltshuffle.cli.doctor.fabric.Diagram.Line;
import io.boltshuffle.cli.doctor.fabric.Diagram.Transport;
import io.boltshuffle.cli.doctor.fabric.SvgLayout.Point;
import io.boltshuffle.cli.doctor.fabric.SvgLayout.Segment;
import java.util.ArrayList;
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

    private static final String STYLE = """
            <style>
              text { font: 11px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1c2733; text-anchor: middle; }
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
            </style>
            """;

    private final Diagram diagram;
    private final SvgLayout layout;
    private final StringBuilder cables = new StringBuilder();
    private final StringBuilder labels = new StringBuilder();

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
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                        + "role=\"img\">\n",
                layout.width(), layout.height(), layout.width(), layout.height()));
        svg.append("<title>").append(escape(summary())).append("</title>\n").append(STYLE);
        svg.append(cables);
        for (int i = 0; i < diagram.boxes().size(); i++) {
            box(svg, diagram.boxes().get(i), layout.center(i));
        }
        return svg.append(labels).append(legend()).append("</svg>\n").toString();
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
        cables.append(format(
                "<line class=\"cable %s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                style(line.transport()),
                segment.from().x(),
                segment.from().y(),
                segment.to().x(),
                segment.to().y()));
    }

    /** Draws a small socket on the edge of the host, and its label beside it on the cable. */
    private void port(LabelPlacer placer, Segment segment, String label) {
        if (label.isEmpty()) {
            return;
        }
        Point edge = segment.from();
        labels.append(format(
                "<rect class=\"port\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\" rx=\"2\"/>\n",
                edge.x() - PORT_SIZE / 2, edge.y() - PORT_SIZE / 2, PORT_SIZE, PORT_SIZE));
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
        double width = pillWidth(label);
        labels.append(format(
                "<rect class=\"pill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"9\"/>"
                        + "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                center.x() - width / 2,
                center.y() - PILL_HEIGHT / 2,
                width,
                PILL_HEIGHT,
                center.x(),
                center.y() + 4,
                escape(label)));
    }

    private static void box(StringBuilder svg, Box box, Point center) {
        svg.append(format(
                "<rect class=\"host\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\" rx=\"10\"/>"
                        + "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">%s</text>"
                        + "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                center.x() - SvgLayout.BOX_WIDTH / 2,
                center.y() - SvgLayout.BOX_HEIGHT / 2,
                SvgLayout.BOX_WIDTH,
                SvgLayout.BOX_HEIGHT,
                center.x(),
                center.y() - 3,
                escape(box.title()),
                center.x(),
                center.y() + 16,
                escape(box.subtitle())));
    }

    /** Explains only the inks that were used. */
    private String legend() {
        List<Transport> used = new ArrayList<>();
        diagram.lines().stream()
                .map(Line::transport)
                .sorted()
                .filter(transport -> !used.contains(transport))
                .forEach(used::add);
        StringBuilder svg = new StringBuilder();
        double y = layout.height() - PILL_HEIGHT;
        double x = PILL_PADDING;
        for (Transport transport : used) {
            double width = pillWidth(transport.words()) + 44;
            svg.append(format(
                    "<rect class=\"pill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"9\"/>"
                            + "<line class=\"cable %s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                    x,
                    y - PILL_HEIGHT / 2,
                    width,
                    PILL_HEIGHT,
                    style(transport),
                    x + 10,
                    y,
                    x + 42,
                    y,
                    x + 44 + pillWidth(transport.words()) / 2,
                    y + 4,
                    escape(transport.words())));
            x += width + PILL_PADDING;
        }
        return svg.toString();
    }

    private static String style(Transport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
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

    /** Formats numbers with decimal points in every locale. */
    private static String format(String template, Object... arguments) {
        return String.format(Locale.ROOT, template, arguments);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
