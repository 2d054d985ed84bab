package io.boltshuffle.spark.write;

/**
 * What it took to write one map output.
 *
 * @param bytes of all partitions, as they lie in the file
 * @param spills how often memory was short
 * @param nanos from the first record to the commit, with what it took to make the records
 */
public record MapOutputFigures(long records, long bytes, int spills, long nanos) {}
