package io.boltshuffle.spark.ui;

import static io.boltshuffle.spark.ui.Figures.escape;
import static io.boltshuffle.spark.ui.Figures.number;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Draws hosts on an ellipse and cables between them. Two cables of one pair run side by side. */
final class ClusterDrawing {
    /** The chart below the drawing has the same width. */
    private static final double WIDTH = 1240;

    private static final double BOX_WIDTH = 230;
    private static final double BOX_HEIGHT = 76;
    private static final double CABLE_GAP = 44;
    private static final double MARGIN = 12;
    /** A label on a diagonal stands here and not in the middle, where diagonals meet. */
    private static final double LABEL_ON_DIAGONAL = 0.28;

    private final Picture picture;
    private final boolean live;
    private final Map<String, Point> places = new LinkedHashMap<>();
    private final double height;

    private record Point(double x, double y) {
        Point plus(double dx, double dy) {
            return new Point(x + dx, y + dy);
        }
    }

    ClusterDrawing(Picture picture, boolean live) {
        this.picture = picture;
        this.live = live;
        TreeSet<String> hosts = new TreeSet<>();
        picture.hosts().forEach(host -> hosts.add(host.name()));
        for (Picture.Cable cable : picture.cables()) {
            hosts.add(cable.one().host());
            hosts.add(cable.other().host());
        }
        layOut(List.copyOf(hosts));
        height = places.values().stream().mapToDouble(Point::y).max().orElse(0) + BOX_HEIGHT / 2 + MARGIN;
    }

    /** Places the hosts: two stand side by side, four are in the corners, and otherwise one is on top. */
    private void layOut(List<String> hosts) {
        int count = hosts.size();
        double radiusX = (WIDTH - BOX_WIDTH) / 2 - MARGIN;
        double radiusY = count <= 2 ? 0 : 90 + 30.0 * count;
        double turn = count <= 2 ? Math.PI : count == 4 ? -Math.PI * 3 / 4 : -Math.PI / 2;
        for (int index = 0; index < count; index++) {
            double angle = turn + 2 * Math.PI * index / count;
            places.put(hosts.get(index), new Point(radiusX * Math.cos(angle), radiusY * Math.sin(angle)));
        }
        double middle = (smallest(Point::x)
                        + places.values().stream().mapToDouble(Point::x).max().orElse(0))
                / 2;
        double left = middle - WIDTH / 2;
        double top = smallest(Point::y) - BOX_HEIGHT / 2 - MARGIN;
        places.replaceAll((host, place) -> place.plus(-left, -top));
    }

    private double smallest(ToDoubleFunction<Point> coordinate) {
        return places.values().stream().mapToDouble(coordinate).min().orElse(0);
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append("<svg class=\"bolt-cluster\" role=\"img\" aria-label=\"Hosts and cables\" viewBox=\"0 0 ")
                .append(number(WIDTH) + " " + number(height) + "\">");
        StringBuilder labels = new StringBuilder();
        cablesByPair().values().forEach(cables -> drawPair(cables, svg, labels));
        picture.hosts().forEach(host -> drawHost(host, svg));
        places.forEach((name, place) -> {
            if (picture.hosts().stream().noneMatch(host -> host.name().equals(name))) {
                box(name, place, "no executor here", "", svg);
            }
        });
        return svg.append(labels).append("</svg>").toString();
    }

    private Map<List<String>, List<Picture.Cable>> cablesByPair() {
        Map<List<String>, List<Picture.Cable>> pairs = new LinkedHashMap<>();
        for (Picture.Cable cable : picture.cables()) {
            List<String> pair = List.copyOf(
                    new TreeSet<>(List.of(cable.one().host(), cable.other().host())));
            pairs.computeIfAbsent(pair, key -> new ArrayList<>()).add(cable);
        }
        return pairs;
    }

    private void drawPair(List<Picture.Cable> cables, StringBuilder svg, StringBuilder labels) {
        for (int index = 0; index < cables.size(); index++) {
            Picture.Cable cable = cables.get(index);
            Point from = place(cable.one().host());
            Point to = place(cable.other().host());
            double length = Math.max(1, Math.hypot(to.x() - from.x(), to.y() - from.y()));
            double shift = (index - (cables.size() - 1) / 2.0) * CABLE_GAP / Math.max(1, cables.size() - 1);
            double dx = -(to.y() - from.y()) / length * shift;
            double dy = (to.x() - from.x()) / length * shift;
            drawCable(cable, from.plus(dx, dy), to.plus(dx, dy), svg, labels);
        }
    }

    private void drawCable(Picture.Cable cable, Point from, Point to, StringBuilder svg, StringBuilder labels) {
        String kind = cable.isUp() ? cable.bytesPerSecond() > 0 ? "busy" : "up" : "down";
        svg.append("<line class=\"bolt-cable " + kind + "\" x1=\"" + number(from.x()) + "\" y1=\"" + number(from.y())
                + "\" x2=\"" + number(to.x()) + "\" y2=\"" + number(to.y()) + "\"><title>");
        svg.append(escape(cable.name() + ": " + cable.state() + ", " + cable.detail()));
        svg.append("</title></line>");
        double at = areNeighbours(cable) ? 0.5 : LABEL_ON_DIAGONAL;
        labels.append("<text class=\"bolt-rate " + kind + "\" text-anchor=\"middle\" x=\""
                + number(from.x() + at * (to.x() - from.x())) + "\" y=\""
                + number(from.y() + at * (to.y() - from.y()) - 6) + "\">"
                + escape(label(cable)) + "</text>");
    }

    private String label(Picture.Cable cable) {
        if (!live) {
            return Figures.bytes(cable.bytes());
        }
        return cable.isUp() ? Figures.rate(cable.bytesPerSecond()) : Figures.words(cable.state());
    }

    private boolean areNeighbours(Picture.Cable cable) {
        List<String> around = List.copyOf(places.keySet());
        int apart = Math.abs(around.indexOf(cable.one().host())
                - around.indexOf(cable.other().host()));
        return apart == 1 || apart == around.size() - 1;
    }

    private void drawHost(Picture.Host host, StringBuilder svg) {
        String received = live
                ? "RDMA " + Figures.rate(host.rdmaBytesPerSecond()) + " · TCP "
                        + Figures.rate(host.nettyBytesPerSecond())
                : "RDMA " + Figures.bytes(host.rdmaBytes()) + " · TCP " + Figures.bytes(host.nettyBytes());
        String agent = host.agent().answered()
                ? "pool " + Figures.bytes(host.agent().usedBytes()) + " of "
                        + Figures.bytes(host.agent().slabBytes())
                : "no agent";
        Point place = place(host.name());
        box(host.name(), place, received, agent, svg);
        if (host.agent().answered()) {
            drawPool(host, place, svg);
        }
    }

    private static void box(String name, Point place, String second, String third, StringBuilder svg) {
        double left = place.x() - BOX_WIDTH / 2;
        double top = place.y() - BOX_HEIGHT / 2;
        svg.append("<rect class=\"bolt-host\" rx=\"8\" x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\""
                + number(BOX_WIDTH) + "\" height=\"" + number(BOX_HEIGHT) + "\"/>");
        text("bolt-name", place.x(), top + 21, name, svg);
        text("bolt-figure", place.x(), top + 40, second, svg);
        text("bolt-figure", place.x(), top + 57, third, svg);
    }

    private static void drawPool(Picture.Host host, Point place, StringBuilder svg) {
        double left = place.x() - BOX_WIDTH / 2 + 14;
        double top = place.y() + BOX_HEIGHT / 2 - 12;
        double full = BOX_WIDTH - 28;
        double used = full * host.agent().usedBytes() / Math.max(1, host.agent().slabBytes());
        svg.append("<rect class=\"bolt-pool\" rx=\"2\" height=\"4\" x=\"" + number(left) + "\" y=\"" + number(top)
                + "\" width=\"" + number(full) + "\"/>");
        svg.append("<rect class=\"bolt-pool-used\" rx=\"2\" height=\"4\" x=\"" + number(left) + "\" y=\"" + number(top)
                + "\" width=\"" + number(Math.min(full, used)) + "\"/>");
    }

    private static void text(String style, double x, double y, String text, StringBuilder svg) {
        svg.append("<text class=\"" + style + "\" text-anchor=\"middle\" x=\"" + number(x) + "\" y=\"" + number(y)
                + "\">" + escape(text) + "</text>");
    }

    private Point place(String host) {
        return places.getOrDefault(host, new Point(0, 0));
    }
}
