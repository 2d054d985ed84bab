package io.boltshuffle.spark.meter;

import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.StageWrites;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.spark.write.MapOutputFigures;
import io.boltshuffle.spark.write.StockReason;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was fetched and written by stage, of the stages that did so last; those before them are forgotten.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class StageMeter {
    private final Map<StageAttempt, Counts> stages = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                @Override
                protected boolean removeEldestEntry(Map.Entry<StageAttempt, Counts> eldest) {
                    return size() > Traffic.MAX_STAGES;
                }
            };

    private static final class Counts {
        private long rdma;
        private long netty;
        private long writeTasks;
        private long writeBytes;
        private long writeSpills;
        private final Map<String, Long> sparkTasks = new HashMap<>();

        StageWrites writes() {
            return new StageWrites(writeTasks, writeBytes, writeSpills, sparkTasks);
        }
    }

    synchronized void delivered(StageAttempt stage, Transport way, long bytes) {
        Counts counted = of(stage);
        switch (way) {
            case RDMA -> counted.rdma += bytes;
            case NETTY -> counted.netty += bytes;
        }
    }

    synchronized void written(StageAttempt stage, MapOutputFigures output) {
        Counts counted = of(stage);
        counted.writeTasks++;
        counted.writeBytes += output.bytes();
        counted.writeSpills += output.spills();
    }

    synchronized void leftToSpark(StageAttempt stage, StockReason reason) {
        of(stage).sparkTasks.merge(reason.metricName(), 1L, Long::sum);
    }

    private Counts of(StageAttempt stage) {
        return stages.computeIfAbsent(stage, key -> new Counts());
    }

    synchronized List<StageTraffic> traffic() {
        return stages.entrySet().stream()
                .map(entry -> new StageTraffic(
                        entry.getKey().stage(),
                        entry.getKey().attempt(),
                        entry.getValue().rdma,
                        entry.getValue().netty,
                        entry.getValue().writes()))
                .toList();
    }
}
