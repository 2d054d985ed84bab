package io.boltshuffle.spark.block;

import io.boltshuffle.wire.LiveBlock;
import java.util.Locale;

/** What Spark's block transfer service fetches. */
public enum BlockClass {
    BROADCAST,
    CACHED,
    RESULT,
    /** What has no name that agents know; always by Netty. */
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
