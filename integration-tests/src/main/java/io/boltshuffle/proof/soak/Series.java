package io.boltshuffle.proof.soak;

import io.boltshuffle.proof.bench.report.Samples;
import java.util.List;

/**
 * The values of one quantity over time.
 *
 * @param process its name; several processes may have had it, one after the other
 * @param points in the order of time, at least one
 */
record Series(String process, WatchedResource quantity, List<Point> points) {
    private static final int LEAST_POINTS = 9;

    /** A younger JVM still loads and compiles, so it grows for good reasons. */
    private static final double LEAST_SECONDS = 150;

    /** @param seconds since the faults began */
    record Point(double seconds, long pid, double value) {}

    /**
     * The medians of the first and of the last third of the last process's values, without its warm-up.
     *
     * @param kind what they show
     */
    record Trend(Kind kind, double early, double late) {
        enum Kind {
            STEADY,
            GROWN,
            /** The process was replaced, or was sampled for too short a time, to say anything. */
            UNJUDGED
        }
    }

    /** Returns the trend of a process that has lived for most of the time; its first quarter is warm-up. */
    Trend trend() {
        Point last = points.get(points.size() - 1);
        List<Point> ofLast =
                points.stream().filter(point -> point.pid() == last.pid()).toList();
        double lived = last.seconds() - ofLast.get(0).seconds();
        List<Point> warm = ofLast.subList(ofLast.size() / 4, ofLast.size());
        double early = median(warm.subList(0, Math.max(1, warm.size() / 3)));
        double late = median(warm.subList(warm.size() - Math.max(1, warm.size() / 3), warm.size()));
        boolean judged = lived >= LEAST_SECONDS
                && lived > 0.7 * (last.seconds() - points.get(0).seconds())
                && ofLast.size() >= LEAST_POINTS;
        if (!judged) {
            return new Trend(Trend.Kind.UNJUDGED, early, late);
        }
        return new Trend(quantity.hasGrown(early, late) ? Trend.Kind.GROWN : Trend.Kind.STEADY, early, late);
    }

    private static double median(List<Point> points) {
        return Samples.of(points.stream().map(Point::value).toList()).median();
    }
}
