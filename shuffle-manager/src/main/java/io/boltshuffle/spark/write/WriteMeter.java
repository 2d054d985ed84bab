package io.boltshuffle.spark.write;

/** Counts the map tasks of a process. Their threads call it. */
public interface WriteMeter {

    /**
     * Says what it took to write one map output.
     *
     * @param bytes the size of all partitions in the file
     * @param spills how often memory was short
     * @param nanos the time from the first record to the commit, including the time to produce the records
     */
    record MapOutput(long records, long bytes, int spills, long nanos) {}

    /** The plugin's writer committed a map task's output. */
    void written(MapOutput output);

    /** A map task writes with one of Spark's writers. */
    void leftToSpark(StockReason reason);
}
