package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import java.util.ArrayList;
import java.util.List;

/** Places the boxes: two hosts side by side, three in a triangle, four in a square, more on a circle. */
final class SvgLayout {

    static final double BOX_WIDTH = 168;
    static final double BOX_HEIGHT = 64;

    private static final double MARGIN = 16;
    private static final double LEGEND_HEIGHT = 44;
    private static final double SPACING_OF_SIBLINGS = 24;

    private final List<Point> centers;
    private final double width;
    private final double height;

    SvgLayout(int hosts) {
        List<Point> unplaced = place(hosts);
        double left = unplaced.stream().mapToDouble(Point::x).min().orElse(0);
        double top = unplaced.stream().mapToDouble(Point::y).min().orElse(0);
        Point shift = new Point(MARGIN + BOX_WIDTH / 2 - left, MARGIN + BOX_HEIGHT / 2 - top);
        centers = unplaced.stream().map(point -> point.plus(shift)).toList();
        width = centers.stream().mapToDouble(Point::x).max().orElse(0) + BOX_WIDTH / 2 + MARGIN;
        height = centers.stream().mapToDouble(Point::y).max().orElse(0) + BOX_HEIGHT / 2 + MARGIN + LEGEND_HEIGHT;
    }

    double width() {
        return width;
    }

    double height() {
        return height;
    }

    Point center(int host) {
        return centers.get(host);
    }

    /**
     * Returns the segment from edge to edge of two boxes. Parallel cables run {@code offset} steps from the line of
     * centres.
     */
    Segment between(int from, int to, double offset) {
        Point direction = new Segment(centers.get(from), centers.get(to)).direction();
        Point aside = new Point(-direction.y(), direction.x()).times(offset * SPACING_OF_SIBLINGS);
        return new Segment(
                leave(centers.get(from), direction, aside), leave(centers.get(to), direction.times(-1), aside));
    }

    private static List<Point> place(int hosts) {
        return switch (hosts) {
            case 0 -> List.of();
            case 1 -> List.of(new Point(0, 0));
            case 2 -> List.of(new Point(0, 0), new Point(520, 0));
            case 3 -> List.of(new Point(260, 0), new Point(520, 260), new Point(0, 260));
            case 4 -> List.of(new Point(0, 0), new Point(560, 0), new Point(560, 320), new Point(0, 320));
            default -> circle(hosts);
        };
    }

    private static List<Point> circle(int hosts) {
        double radius = 130 + 42 * hosts;
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            double angle = 2 * Math.PI * i / hosts - Math.PI / 2;
            points.add(new Point(1.3 * radius * Math.cos(angle), radius * Math.sin(angle)));
        }
        return points;
    }

    /** Returns the point where a line from the centre, moved aside, leaves the box. */
    private static Point leave(Point center, Point direction, Point aside) {
        double toSide =
                (BOX_WIDTH / 2 - Math.signum(direction.x()) * aside.x()) / Math.max(Math.abs(direction.x()), 1e-9);
        double toTop =
                (BOX_HEIGHT / 2 - Math.signum(direction.y()) * aside.y()) / Math.max(Math.abs(direction.y()), 1e-9);
        return center.plus(aside).plus(direction.times(Math.min(toSide, toTop)));
    }
}
