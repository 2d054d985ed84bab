package io.boltshuffle.spark.ui;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps samples of the whole life of an application in bounded room: when it is full, it drops every second sample and
 * doubles the interval. Confined to its owner's lock.
 */
final class TrafficSeries {
    static final int CAPACITY = 240;
    private static final long FIRST_INTERVAL_MILLIS = 1_000;

    private final List<Picture.Sample> samples = new ArrayList<>();
    private long intervalMillis = FIRST_INTERVAL_MILLIS;

    void add(Picture.Sample sample) {
        int last = samples.size() - 1;
        // The newest sample is replaced until it is an interval away from the one before it.
        if (last > 0 && sample.timeMillis() - samples.get(last - 1).timeMillis() < intervalMillis) {
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

    /**
     * Returns the most bytes per second that a cable carried between two samples, in agreement with a chart of the
     * samples.
     */
    double peakOfCable(String cable) {
        double peak = 0;
        for (int index = 1; index < samples.size(); index++) {
            peak = Math.max(peak, samples.get(index).cableRateSince(samples.get(index - 1), cable));
        }
        return peak;
    }

    List<Picture.Sample> samples() {
        return List.copyOf(samples);
    }
}
