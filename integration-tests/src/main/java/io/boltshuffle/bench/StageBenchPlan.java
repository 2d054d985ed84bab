package io.boltshuffle.bench;

import java.util.List;

/**
 * Says what {@link StageBench} does: it writes one shuffle, and reads it again and again.
 *
 * @param bytes of all rows together
 * @param reads that are measured, after one that warms up
 * @param agents process ids of the node agents of all hosts; empty if there are none
 */
public record StageBenchPlan(
        StageOperation operation, int maps, int reducers, long bytes, int reads, List<Long> agents) {}
