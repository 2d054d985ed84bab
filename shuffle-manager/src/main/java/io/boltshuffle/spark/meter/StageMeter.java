package io.boltshuffle.spark.meter;

import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.StageWrites;
import io.boltshuffle.spark.report.Traffic;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what was fetched and written by stage, for the stages that did so last; those before them are forgotten.
 *
 * <p><b>Threads:</b> safe from any. Only the first use of a stage takes a lock.
 */
final class StageMeter {
    private final Map<StageAttempt, StageCounts> stages = new ConcurrentHashMap<>();

    /** The number of stages that came. Written under the lock. */
    private volatile long arrivals;

    /** Returns the counts of a stage, which counts as used now. */
    StageCounts of(StageAttempt stage) {
        StageCounts counts = stages.get(stage);
        if (counts == null) {
            counts = begin(stage);
        }
        counts.used(arrivals);
        return counts;
    }

    private synchronized StageCounts begin(StageAttempt stage) {
        StageCounts known = stages.get(stage);
        if (known != null) {
            return known;
        }
        arrivals = arrivals + 1;
        StageCounts counts = new StageCounts(arrivals);
        stages.put(stage, counts);
        if (stages.size() > Traffic.MAX_STAGES) {
            stages.remove(leastRecentFirst().get(0).stage());
        }
        return counts;
    }

    /** Returns the traffic of the stages that had some, the least recent first. */
    List<StageTraffic> traffic() {
        return leastRecentFirst().stream()
                .map(use -> use.counts().traffic(use.stage()))
                .filter(StageMeter::isSome)
                .toList();
    }

    private static boolean isSome(StageTraffic traffic) {
        return traffic.rdmaBytes() > 0
                || traffic.nettyBytes() > 0
                || !traffic.writes().equals(StageWrites.NONE);
    }

    private record Use(StageAttempt stage, StageCounts counts, long at) {}

    /** Sorts by a copy of what others change meanwhile. */
    private List<Use> leastRecentFirst() {
        return stages.entrySet().stream()
                .map(entry -> new Use(
                        entry.getKey(), entry.getValue(), entry.getValue().usedAt()))
                .sorted(Comparator.comparingLong(Use::at))
                .toList();
    }
}
