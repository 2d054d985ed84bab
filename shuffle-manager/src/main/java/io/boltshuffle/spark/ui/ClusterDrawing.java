package io.boltshuffle.spark.ui;

import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.Area;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import io.boltshuffle.draw.Svg;
import io.boltshuffle.draw.Svg.Anchor;
import io.boltshuffle.draw.Svg.Look;
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
    private static final double POOL_HEIGHT = 4;
    private static final double CABLE_GAP = 44;
    private static final double MARGIN = 12;
    /** A label on a diagonal stands here and not in the middle, where diagonals meet. */
    private static final double LABEL_ON_DIAGONAL = 0.28;

    private final Picture picture;
    private final boolean live;
    private final Map<String, Point> places = new LinkedHashMap<>();
    private final double height;

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
        Svg svg = new Svg();
        Svg labels = new Svg();
        cablesByPair().values().forEach(cables -> drawPair(cables, svg, labels));
        picture.hosts().forEach(host -> drawHost(host, svg));
        places.forEach((name, place) -> {
            if (picture.hosts().stream().noneMatch(host -> host.name().equals(name))) {
                box(name, place, "no executor here", "", svg);
            }
        });
        return svg.add(labels).inPage(Look.style("bolt-cluster"), "Hosts and cables", WIDTH, height);
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

    private void drawPair(List<Picture.Cable> cables, Svg svg, Svg labels) {
        for (int index = 0; index < cables.size(); index++) {
            Picture.Cable cable = cables.get(index);
            double shift = (index - (cables.size() - 1) / 2.0) * CABLE_GAP / Math.max(1, cables.size() - 1);
            Segment centres =
                    new Segment(place(cable.one().host()), place(cable.other().host()));
            drawCable(cable, centres.aside(shift), svg, labels);
        }
    }

    private void drawCable(Picture.Cable cable, Segment segment, Svg svg, Svg labels) {
        String kind = cable.isUp() ? cable.bytesPerSecond() > 0 ? "busy" : "up" : "down";
        svg.line(
                Look.style("bolt-cable " + kind).tip(cable.name() + ": " + cable.state() + ", " + cable.detail()),
                segment);
        double at = areNeighbours(cable) ? 0.5 : LABEL_ON_DIAGONAL;
        Point place = segment.atDistance(at * segment.length()).plus(0, -6);
        labels.text(Look.style("bolt-rate " + kind), Anchor.MIDDLE, place, label(cable));
    }

    private String label(Picture.Cable cable) {
        if (live && !cable.isUp()) {
            return Figures.words(cable.state());
        }
        return live && cable.bytesPerSecond() > 0
                ? ByteFigures.rate(cable.bytesPerSecond())
                : ByteFigures.bytes(cable.bytes());
    }

    private boolean areNeighbours(Picture.Cable cable) {
        List<String> around = List.copyOf(places.keySet());
        int apart = Math.abs(around.indexOf(cable.one().host())
                - around.indexOf(cable.other().host()));
        return apart == 1 || apart == around.size() - 1;
    }

    private void drawHost(Picture.Host host, Svg svg) {
        String received = live
                ? "RDMA " + ByteFigures.rate(host.rdmaBytesPerSecond()) + " · TCP "
                        + ByteFigures.rate(host.nettyBytesPerSecond())
                : "RDMA " + ByteFigures.bytes(host.rdmaBytes()) + " · TCP " + ByteFigures.bytes(host.nettyBytes());
        String agent = host.agent().answered()
                ? "pool " + ByteFigures.bytes(host.agent().usedBytes()) + " of "
                        + ByteFigures.bytes(host.agent().slabBytes())
                : "no agent";
        Point place = place(host.name());
        box(host.name(), place, received, agent, svg);
        if (host.agent().answered()) {
            drawPool(host, place, svg);
        }
    }

    private static void box(String name, Point place, String second, String third, Svg svg) {
        double top = place.y() - BOX_HEIGHT / 2;
        svg.rectangle(Look.style("bolt-host").rounded(8), Area.around(place, BOX_WIDTH, BOX_HEIGHT));
        svg.text(Look.style("bolt-name"), Anchor.MIDDLE, new Point(place.x(), top + 21), name);
        svg.text(Look.style("bolt-figure"), Anchor.MIDDLE, new Point(place.x(), top + 40), second);
        svg.text(Look.style("bolt-figure"), Anchor.MIDDLE, new Point(place.x(), top + 57), third);
    }

    private static void drawPool(Picture.Host host, Point place, Svg svg) {
        double left = place.x() - BOX_WIDTH / 2 + 14;
        double top = place.y() + BOX_HEIGHT / 2 - 12;
        double full = BOX_WIDTH - 28;
        double used = full * host.agent().usedBytes() / Math.max(1, host.agent().slabBytes());
        svg.rectangle(Look.style("bolt-pool").rounded(2), new Area(left, top, full, POOL_HEIGHT));
        svg.rectangle(Look.style("bolt-pool-used").rounded(2), new Area(left, top, Math.min(full, used), POOL_HEIGHT));
    }

    private Point place(String host) {
        return places.getOrDefault(host, new Point(0, 0));
    }
}
