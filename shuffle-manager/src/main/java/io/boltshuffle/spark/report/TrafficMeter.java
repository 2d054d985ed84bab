package io.boltshuffle.spark.report;

/** Whoever counts an executor's shuffle reads. Safe from any thread. */
public interface TrafficMeter {

    /** The counts so far. */
    Traffic traffic();
}
