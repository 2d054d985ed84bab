package io.boltshuffle.proof.soak;

import java.util.List;
import java.util.OptionalDouble;

/**
 * How many bytes had come by RDMA, by time.
 *
 * @param points in the order of time
 */
record Arrivals(List<Point> points) {
    /**
     * What agents said.
     *
     * @param seconds since the faults began
     * @param bytes since the beginning, of all agents; never fewer than before
     */
    record Point(double seconds, long bytes) {}

    /** A time in which nothing came. */
    record Gap(double fromSeconds, double seconds) {}

    Arrivals {
        points = List.copyOf(points);
    }

    /** How long after a time something came for the first time, if it did so before another. */
    OptionalDouble secondsUntilNext(double fromSeconds, double endSeconds) {
        List<Point> since = points.stream()
                .filter(point -> point.seconds() >= fromSeconds && point.seconds() < endSeconds)
                .toList();
        return since.stream()
                .filter(point -> point.bytes() > since.get(0).bytes())
                .mapToDouble(point -> point.seconds() - fromSeconds)
                .findFirst();
    }

    /** The longest time without anything since something came for the first time. */
    Gap longestGap() {
        Gap longest = new Gap(0, 0);
        long bytes = 0;
        double last = 0;
        for (Point point : points) {
            boolean nothingYet = bytes == 0;
            if (!nothingYet && point.seconds() - last > longest.seconds()) {
                longest = new Gap(last, point.seconds() - last);
            }
            if (point.bytes() > bytes) {
                bytes = point.bytes();
                last = point.seconds();
            }
        }
        return longest;
    }
}
