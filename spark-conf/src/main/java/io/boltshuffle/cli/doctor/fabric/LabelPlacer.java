package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.draw.Point;
import io.boltshuffle.draw.Segment;
import java.util.ArrayList;
import java.util.List;

/** Puts labels on cables so that none covers another label or a foreign cable, as far as there is room. */
final class LabelPlacer {

    private static final double STEP = 6;
    private static final double SPACE = 3;

    /** The place of a label: its centre and its extent. */
    private record Area(Point center, double width, double height) {
        boolean touches(Area other) {
            return Math.abs(center.x() - other.center.x()) < (width + other.width) / 2 + SPACE
                    && Math.abs(center.y() - other.center.y()) < (height + other.height) / 2 + SPACE;
        }

        boolean contains(Point point) {
            return Math.abs(center.x() - point.x()) < width / 2 + SPACE
                    && Math.abs(center.y() - point.y()) < height / 2 + SPACE;
        }
    }

    private final List<Segment> cables;
    private final List<Area> placed = new ArrayList<>();

    LabelPlacer(List<Segment> cables) {
        this.cables = List.copyOf(cables);
    }

    /** Returns the place as near to the start of the segment as possible, but at least {@code reach} from it. */
    Point nearStart(Segment segment, double reach, double width, double height) {
        double last = segment.length() * 0.45;
        List<Point> candidates = new ArrayList<>(List.of(segment.atDistance(reach)));
        for (double distance = reach + STEP; distance < last; distance += STEP) {
            candidates.add(segment.atDistance(distance));
        }
        return place(segment, candidates, width, height);
    }

    /** Returns the place as near to the middle of the segment as possible. */
    Point nearMiddle(Segment segment, double width, double height) {
        double middle = segment.length() / 2;
        List<Point> candidates = new ArrayList<>(List.of(segment.atDistance(middle)));
        for (double distance = STEP; distance < middle * 0.7; distance += STEP) {
            candidates.add(segment.atDistance(middle - distance));
            candidates.add(segment.atDistance(middle + distance));
        }
        return place(segment, candidates, width, height);
    }

    /** Returns the first candidate that is free; the very first if none is. */
    private Point place(Segment own, List<Point> candidates, double width, double height) {
        Point chosen = candidates.stream()
                .filter(point -> isFree(new Area(point, width, height), own))
                .findFirst()
                .orElse(candidates.get(0));
        placed.add(new Area(chosen, width, height));
        return chosen;
    }

    private boolean isFree(Area area, Segment own) {
        return placed.stream().noneMatch(area::touches)
                && cables.stream()
                        .filter(cable -> !cable.equals(own) && !cable.equals(own.reversed()))
                        .noneMatch(cable -> crosses(cable, area));
    }

    private static boolean crosses(Segment cable, Area area) {
        for (double distance = 0; distance < cable.length(); distance += STEP / 2) {
            if (area.contains(cable.atDistance(distance))) {
                return true;
            }
        }
        return false;
    }
}
