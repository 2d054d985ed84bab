package io.boltshuffle.spark.meter;

import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.StageWrites;
import io.boltshuffle.spark.write.StockReason;
import io.boltshuffle.spark.write.WriteMeter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what was fetched and written for one try at a stage. A fetch asks for it once and counts each block.
 *
 * <p><b>Threads:</b> safe from any; none waits for another.
 */
public final class StageCounts {

    /** Takes counts that belong to no stage; nobody reads them. */
    static final StageCounts UNREAD = new StageCounts(0);

    private final LongAdder rdma = new LongAdder();
    private final LongAdder netty = new LongAdder();
    private final LongAdder writeTasks = new LongAdder();
    private final LongAdder writeBytes = new LongAdder();
    private final LongAdder writeSpills = new LongAdder();
    private final Map<String, LongAdder> sparkTasks = new ConcurrentHashMap<>();
    private volatile long usedAt;

    StageCounts(long usedAt) {
        this.usedAt = usedAt;
    }

    void delivered(Transport way, long bytes) {
        switch (way) {
            case RDMA -> rdma.add(bytes);
            case NETTY -> netty.add(bytes);
        }
    }

    void written(WriteMeter.MapOutput output) {
        writeTasks.increment();
        writeBytes.add(output.bytes());
        writeSpills.add(output.spills());
    }

    void leftToSpark(StockReason reason) {
        sparkTasks.computeIfAbsent(reason.metricName(), key -> new LongAdder()).increment();
    }

    /** Returns when it was last asked for, by the number of stages that there had been then. */
    long usedAt() {
        return usedAt;
    }

    void used(long now) {
        if (usedAt != now) {
            usedAt = now;
        }
    }

    StageTraffic traffic(StageAttempt stage) {
        Map<String, Long> left = new HashMap<>();
        sparkTasks.forEach((reason, tasks) -> left.put(reason, tasks.sum()));
        return new StageTraffic(
                stage.stage(),
                stage.attempt(),
                rdma.sum(),
                netty.sum(),
                new StageWrites(writeTasks.sum(), writeBytes.sum(), writeSpills.sum(), left));
    }
}
