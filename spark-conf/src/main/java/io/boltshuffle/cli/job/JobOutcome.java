package io.boltshuffle.cli.job;

import java.util.List;

/**
 * The results of a job that succeeded.
 *
 * @param wallMillis from the start of its first Spark job to the end of its last; without the start of JVMs
 * @param results the last line of its own on standard output, or an empty one; of each program of a job in turn
 */
public record JobOutcome(long wallMillis, List<String> results) {}
