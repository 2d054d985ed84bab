package io.boltshuffle.cli.savings.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.savings.log.StageSums.Read;
import io.boltshuffle.cli.savings.log.StageSums.Spill;
import io.boltshuffle.cli.savings.log.StageSums.Tasks;
import io.boltshuffle.cli.savings.log.StageSums.Write;

/** Adds up the tasks of one stage as they end. Figures below zero, which Spark never writes, count as none. */
final class StageTally {
    private final int id;
    private String name = "";
    private LoggedShuffle shape = LoggedShuffle.UNKNOWN;
    private boolean writes;
    private boolean bySql;

    private long ended;
    private long failed;
    private long taskMillis;
    private long firstLaunchMillis = Long.MAX_VALUE;
    private long lastFinishMillis;

    private long writingTasks;
    private long writtenBytes;
    private long writtenRecords;
    private long writeNanos;

    private long localBytes;
    private long remoteBytes;
    private long localBlocks;
    private long remoteBlocks;
    private long waitMillis;
    private long requestMillis;

    private long memorySpilledBytes;
    private long diskSpilledBytes;

    StageTally(int id) {
        this.id = id;
    }

    void name(String text) {
        name = text;
    }

    /** Two sources may describe one shuffle: what is known stays. */
    void shape(LoggedShuffle told) {
        if (told.partitions().isPresent() || shape.partitions().isEmpty()) {
            shape = told;
        }
    }

    /** The records that the stage writes are rows of SQL. */
    void writesRows() {
        bySql = true;
    }

    /** Adds a {@code SparkListenerTaskEnd}. */
    void add(JsonNode event) {
        JsonNode info = event.path("Task Info");
        JsonNode metrics = event.path("Task Metrics");
        ended++;
        failed += info.path("Failed").asBoolean() || info.path("Killed").asBoolean() ? 1 : 0;
        long launch = amount(info, "Launch Time");
        long finish = amount(info, "Finish Time");
        taskMillis += Math.max(0, finish - launch);
        firstLaunchMillis = Math.min(firstLaunchMillis, launch);
        lastFinishMillis = Math.max(lastFinishMillis, finish);
        memorySpilledBytes += amount(metrics, "Memory Bytes Spilled");
        diskSpilledBytes += amount(metrics, "Disk Bytes Spilled");
        addWrite(event.path("Task Type").asText(), metrics.path("Shuffle Write Metrics"));
        addRead(metrics.path("Shuffle Read Metrics"));
    }

    private void addWrite(String taskType, JsonNode write) {
        long records = amount(write, "Shuffle Records Written");
        writes |= taskType.equals("ShuffleMapTask");
        writingTasks += records > 0 ? 1 : 0;
        writtenRecords += records;
        writtenBytes += amount(write, "Shuffle Bytes Written");
        writeNanos += amount(write, "Shuffle Write Time");
    }

    private void addRead(JsonNode read) {
        localBytes += amount(read, "Local Bytes Read");
        remoteBytes += amount(read, "Remote Bytes Read");
        localBlocks += amount(read, "Local Blocks Fetched");
        remoteBlocks += amount(read, "Remote Blocks Fetched");
        waitMillis += amount(read, "Fetch Wait Time");
        requestMillis += amount(read, "Remote Requests Duration");
    }

    boolean isEmpty() {
        return ended == 0;
    }

    StageSums sums(int bypassThreshold) {
        return new StageSums(
                id,
                name,
                new Tasks(ended, failed, taskMillis),
                Math.max(0, lastFinishMillis - firstLaunchMillis),
                new Write(
                        writes ? shape.writer(bypassThreshold) : SparkWriter.NONE,
                        shape.partitions(),
                        writingTasks,
                        writtenBytes,
                        writtenRecords,
                        bySql ? writtenRecords : 0,
                        writeNanos),
                new Read(localBytes, remoteBytes, localBlocks, remoteBlocks, waitMillis, requestMillis),
                new Spill(memorySpilledBytes, diskSpilledBytes));
    }

    private static long amount(JsonNode of, String name) {
        return Math.max(0, of.path(name).asLong());
    }
}
