package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockRange;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers map outputs that a shuffle manager keeps elsewhere than in Spark's files. The agent finds no block of them,
 * and Spark's own client, which asks the manager, then does: after the first such request, blocks of that shuffle from
 * that host go by Netty at once. Any request of which the agent finds a block shows that the files are Spark's.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class FilesElsewhere implements FetchPolicy {
    private static final int MOST = 1_000;

    private record Outputs(String host, int shuffleId) {}

    /** The latest ones; that of a shuffle which is forgotten is found once more. */
    private final Set<Outputs> known = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Outputs, Boolean> eldest) {
            return size() > MOST;
        }
    }); // guarded by this

    private volatile boolean isAny;

    @Override
    public void review(FetchPlan plan) {
        if (isAny) {
            plan.refuse(FallbackReason.BLOCK_NOT_FOUND, blockId -> areElsewhere(plan.host(), blockId));
        }
    }

    /** Takes note of a block that only Spark's own client found. */
    void foundByNetty(String host, String blockId) {
        ShuffleBlockName.parse(blockId).map(BlockRange::shuffleId).ifPresent(shuffleId -> add(host, shuffleId));
    }

    private synchronized void add(String host, int shuffleId) {
        known.add(new Outputs(host, shuffleId));
        isAny = true;
    }

    private synchronized boolean areElsewhere(String host, String blockId) {
        return ShuffleBlockName.parse(blockId)
                .map(block -> known.contains(new Outputs(host, block.shuffleId())))
                .orElse(false);
    }
}
