package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;

/**
 * The measurement of one piece of an application.
 *
 * @param answer its result: the same with every shuffle
 * @param wallNanos as the driver saw it
 * @param cpu of executors and agents, by their processes: it includes threads that fetch, but not the driver
 * @param heap of executors
 */
public record PieceSample(
        String piece, String answer, long wallNanos, CpuNanos cpu, HeapFigures heap, TaskFigures tasks)
        implements Serializable {}
