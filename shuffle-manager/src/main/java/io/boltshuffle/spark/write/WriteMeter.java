package io.boltshuffle.spark.write;

/** What is told of the map tasks of a process. Called from their threads. */
public interface WriteMeter {

    /** A map task's output was committed by our writer. */
    void written(MapOutputFigures figures);

    /** A map task writes by one of Spark's writers. */
    void leftToSpark(StockReason reason);
}
