package io.boltshuffle.spark.report;

/** Counts an executor's shuffle reads. Safe from any thread. */
public interface TrafficMeter {

    /** Returns the counts so far. */
    Traffic traffic();
}
