package io.boltshuffle.spark.write;

/** Counts the map tasks of a process. Their threads call it. */
public interface WriteMeter {

    /** The plugin's writer committed a map task's output. */
    void written(MapOutputFigures figures);

    /** A map task writes with one of Spark's writers. */
    void leftToSpark(StockReason reason);
}
