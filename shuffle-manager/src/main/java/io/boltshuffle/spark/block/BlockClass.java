package io.boltshuffle.spark.block;

import io.boltshuffle.wire.LiveBlock;
import java.util.Locale;

/** The classes of blocks that Spark's block transfer service fetches. */
public enum BlockClass {
    BROADCAST,
    CACHED,
    RESULT,
    /** Any block without a name that agents know; it always goes by Netty. */
    OTHER;

    static BlockClass of(LiveBlock block) {
        return switch (block.kind()) {
            case BROADCAST_PIECE -> BROADCAST;
            case RDD_PARTITION -> CACHED;
            case TASK_RESULT -> RESULT;
        };
    }

    /** Returns the word for it in the names of metrics. */
    public String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
