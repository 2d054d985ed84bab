package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.StageTraffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.executor.TaskMetrics;

/** The facts about each of the newest stages that read or wrote a shuffle. Confined to its owner's lock. */
final class StageBook {
    private static final int MAX_STAGES = 500;

    private final Map<Key, Stage> stages = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Stage> eldest) {
            boolean isFull = size() > MAX_STAGES;
            if (isFull) {
                newestForgotten = Math.max(newestForgotten, eldest.getKey().stage());
            }
            return isFull;
        }
    };

    private int newestForgotten = -1;

    private record Key(int stage, int attempt) {}

    private static final class Stage {
        private String name = "";
        private long localBytes;
        private long remoteBytes;
        private long fetchWaitMillis;
        private long runMillis;
        private long gcMillis;
        private long writtenBytes;
        private long fileNanos;
        private final Map<String, StageTraffic> byExecutor = new HashMap<>();
    }

    void submitted(int stage, int attempt, String name) {
        entry(stage, attempt).name = name;
    }

    /** Takes a report, which repeats what was reported of earlier stages. */
    void reported(ExecutorReport report) {
        for (StageTraffic traffic : report.traffic().stages()) {
            if (traffic.stage() <= newestForgotten
                    && !stages.containsKey(new Key(traffic.stage(), traffic.attempt()))) {
                continue;
            }
            entry(traffic.stage(), traffic.attempt()).byExecutor.put(report.executor(), traffic);
        }
    }

    void taskEnded(int stage, int attempt, TaskMetrics metrics) {
        ShuffleReadMetrics read = metrics.shuffleReadMetrics();
        Stage entry = entry(stage, attempt);
        entry.localBytes += read.localBytesRead();
        entry.remoteBytes += read.remoteBytesRead();
        entry.fetchWaitMillis += read.fetchWaitTime();
        entry.runMillis += metrics.executorRunTime();
        entry.gcMillis += metrics.jvmGCTime();
        entry.writtenBytes += metrics.shuffleWriteMetrics().bytesWritten();
        entry.fileNanos += metrics.shuffleWriteMetrics().writeTime();
    }

    private Stage entry(int stage, int attempt) {
        return stages.computeIfAbsent(new Key(stage, attempt), key -> new Stage());
    }

    /** Newest first, without those that neither read nor wrote a shuffle. */
    List<Picture.Stage> stages() {
        List<Picture.Stage> pictures = new ArrayList<>();
        stages.forEach((key, entry) -> {
            if (entry.localBytes + entry.remoteBytes + entry.writtenBytes > 0 || !entry.byExecutor.isEmpty()) {
                pictures.add(picture(key, entry));
            }
        });
        Collections.reverse(pictures);
        return pictures;
    }

    private static Picture.Stage picture(Key key, Stage entry) {
        return new Picture.Stage(
                key.stage(),
                key.attempt(),
                entry.name,
                entry.byExecutor.values().stream()
                        .mapToLong(StageTraffic::rdmaBytes)
                        .sum(),
                entry.byExecutor.values().stream()
                        .mapToLong(StageTraffic::nettyBytes)
                        .sum(),
                entry.localBytes,
                entry.fetchWaitMillis,
                entry.runMillis,
                entry.gcMillis,
                writes(entry));
    }

    private static Picture.Writes writes(Stage entry) {
        long bytes = 0;
        long tasks = 0;
        long spills = 0;
        Map<String, Long> sparkTasks = new HashMap<>();
        for (StageTraffic traffic : entry.byExecutor.values()) {
            bytes += traffic.writes().bytes();
            tasks += traffic.writes().tasks();
            spills += traffic.writes().spills();
            traffic.writes().sparkTasks().forEach((reason, count) -> sparkTasks.merge(reason, count, Long::sum));
        }
        return new Picture.Writes(
                Math.max(entry.writtenBytes, bytes),
                TimeUnit.NANOSECONDS.toMillis(entry.fileNanos),
                bytes,
                tasks,
                spills,
                sparkTasks);
    }
}
