package io.boltshuffle.spark.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Samples over the whole life of an application, in bounded room: when it is full, every second sample goes and the interval
 * doubles. Confined to its owner's lock.
 */
final class TrafficSeries {
    static final int CAPACITY = 240;
    private static final long FIRST_INTERVAL_MILLIS = 1_000;

    private final List<Picture.Sample> samples = new ArrayList<>();
    private long intervalMillis = FIRST_INTERVAL_MILLIS;

    void add(long timeMillis, long rdmaBytes, Map<String, Long> nettyBytes) {
        Picture.Sample sample = new Picture.Sample(timeMillis, rdmaBytes, Map.copyOf(nettyBytes));
        int last = samples.size() - 1;
        // The newest sample stands for now, until it is an interval away from the one before it.
        if (last > 0 && timeMillis - samples.get(last - 1).timeMillis() < intervalMillis) {
            samples.set(last, sample);
            return;
        }
        if (samples.size() == CAPACITY) {
            thin();
        }
        samples.add(sample);
    }

    private void thin() {
        List<Picture.Sample> kept = new ArrayList<>();
        for (int index = 0; index < samples.size(); index += 2) {
            kept.add(samples.get(index));
        }
        samples.clear();
        samples.addAll(kept);
        intervalMillis *= 2;
    }

    List<Picture.Sample> samples() {
        return List.copyOf(samples);
    }
}
