package io.boltshuffle.spark;

import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.Traffic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts bytes by stage and transport. It keeps the stages that fetched most recently and forgets the others.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class StageMeter {
    private final Map<StageAttempt, Bytes> stages = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                @Override
                protected boolean removeEldestEntry(Map.Entry<StageAttempt, Bytes> eldest) {
                    return size() > Traffic.MAX_STAGES;
                }
            };

    private static final class Bytes {
        private long rdma;
        private long netty;
    }

    synchronized void delivered(StageAttempt stage, Transport way, long bytes) {
        Bytes counted = stages.computeIfAbsent(stage, key -> new Bytes());
        switch (way) {
            case RDMA -> counted.rdma += bytes;
            case NETTY -> counted.netty += bytes;
        }
    }

    synchronized List<StageTraffic> traffic() {
        return stages.entrySet().stream()
                .map(entry -> new StageTraffic(
                        entry.getKey().stage(),
                        entry.getKey().attempt(),
                        entry.getValue().rdma,
                        entry.getValue().netty))
                .toList();
    }
}
