package io.boltshuffle.spark.report;

import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import scala.collection.Iterator;

/** Counts the blocks that a process fetches from the memory of others. Safe from any thread. */
public interface BlockMeter {

    /** The name of the meter among the sources of Spark's metrics system. */
    String SOURCE_NAME = "boltshuffle.blocks";

    /** Returns the counts so far, of each class of which there was a block. */
    List<BlockTraffic> blocks();

    /** Returns the counts of this process; none with {@code spark.boltshuffle.blocks=shuffle}. */
    static List<BlockTraffic> blocksOf(SparkEnv env) {
        Iterator<Source> sources =
                env.metricsSystem().getSourcesByName(SOURCE_NAME).iterator();
        return sources.hasNext() && sources.next() instanceof BlockMeter meter ? meter.blocks() : List.of();
    }
}
