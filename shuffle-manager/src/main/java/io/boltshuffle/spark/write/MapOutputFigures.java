package io.boltshuffle.spark.write;

/**
 * Says what it took to write one map output.
 *
 * @param bytes the size of all partitions in the file
 * @param spills how often memory was short
 * @param nanos the time from the first record to the commit, including the time to produce the records
 */
public record MapOutputFigures(long records, long bytes, int spills, long nanos) {}
