package io.boltshuffle.bench;

import java.io.Serializable;

/**
 * One piece of an application, measured.
 *
 * @param answer what it gave: the same with every shuffle
 * @param wallNanos as the driver saw it
 * @param cpu of executors and agents, by their processes: threads that fetch are in it, the driver is not
 */
public record PieceSample(String piece, String answer, long wallNanos, CpuNanos cpu, TaskFigures tasks)
        implements Serializable {}
