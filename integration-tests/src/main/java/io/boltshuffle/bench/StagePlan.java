package io.boltshuffle.bench;

import java.util.List;

/**
 * What {@link StageBench} is to do: write one shuffle, and read it again and again.
 *
 * @param bytes of all rows together
 * @param reads that are measured, after one that warms up
 * @param agents process ids of the node agents of all hosts; none where they are not used
 */
public record StagePlan(StageOperation operation, int maps, int reducers, long bytes, int reads, List<Long> agents) {}
