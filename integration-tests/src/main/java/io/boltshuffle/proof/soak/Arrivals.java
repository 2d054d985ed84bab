package io.boltshuffle.proof.soak;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Records how many bytes had come by RDMA at which time.
 *
 * @param points in the order of time
 */
record Arrivals(List<Point> points) {
    /**
     * The report of the agents at one time.
     *
     * @param seconds since the faults began
     * @param bytes since the beginning, of all agents; never fewer than before
     */
    record Point(double seconds, long bytes) {}

    /** A time in which no bytes came. */
    record Gap(double fromSeconds, double seconds) {}

    Arrivals {
        points = List.copyOf(points);
    }

    /** Returns how long after a time bytes came for the first time, if they came before the end. */
    OptionalDouble secondsUntilNext(double fromSeconds, double endSeconds) {
        List<Point> since = points.stream()
                .filter(point -> point.seconds() >= fromSeconds && point.seconds() < endSeconds)
                .toList();
        return since.stream()
                .filter(point -> point.bytes() > since.get(0).bytes())
                .mapToDouble(point -> point.seconds() - fromSeconds)
                .findFirst();
    }

    /** Returns the longest time without bytes after they came for the first time. */
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
