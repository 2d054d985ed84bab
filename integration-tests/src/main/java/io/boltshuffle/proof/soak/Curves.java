package io.boltshuffle.proof.soak;

import io.boltshuffle.proof.soak.Series.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the sampled values.
 *
 * <p><b>Threads:</b> any.
 */
final class Curves {
    private record Key(String process, WatchedResource quantity) {}

    private final long startNanos = System.nanoTime();
    private final Map<Key, List<Point>> points = new TreeMap<>((one, other) -> {
        int byQuantity = one.quantity().compareTo(other.quantity());
        return byQuantity != 0 ? byQuantity : one.process().compareTo(other.process());
    });

    private final List<Arrivals.Point> arrivals = new ArrayList<>();

    /** Adds what was seen just now. */
    synchronized void add(String process, long pid, WatchedResource quantity, long value) {
        points.computeIfAbsent(new Key(process, quantity), key -> new ArrayList<>())
                .add(new Point(seconds(), pid, (double) value));
    }

    /** Adds how many bytes have come by RDMA until now. */
    synchronized void came(long bytes) {
        arrivals.add(new Arrivals.Point(seconds(), bytes));
    }

    synchronized Arrivals arrivals() {
        return new Arrivals(arrivals);
    }

    double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Returns the series by quantity, then by process. */
    synchronized List<Series> series() {
        return points.entrySet().stream()
                .map(entry ->
                        new Series(entry.getKey().process(), entry.getKey().quantity(), List.copyOf(entry.getValue())))
                .toList();
    }
}
