package io.boltshuffle.spark.write;

/** Counts the map tasks of a process. Their threads call it. */
public interface WriteMeter {

    /** The plugin's writer committed a map task's output. */
    void written(MapOutputFigures figures);

    /** An output that {@link #written} will count, or has counted, is served from memory. */
    void published(long bytes);

    /** Such an output is served from its file only, though there is memory for outputs. */
    void unpublished(UnpublishedReason reason);

    /** A map task writes with one of Spark's writers. */
    void leftToSpark(StockReason reason);
}
