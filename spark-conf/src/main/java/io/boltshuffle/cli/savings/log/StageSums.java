package io.boltshuffle.cli.savings.log;

import java.util.OptionalInt;

/**
 * The sums over the tasks of one stage, all attempts.
 *
 * @param wallMillis from the first task's launch to the last one's end
 */
public record StageSums(int id, String name, Tasks tasks, long wallMillis, Write write, Read read, Spill spill) {

    /**
     * @param ended those that ended, be it well or not
     * @param failed of them
     * @param millis that they ran, together
     */
    public record Tasks(long ended, long failed, long millis) {}

    /**
     * The sums of a stage's writing to a shuffle.
     *
     * @param tasks that wrote anything
     * @param rows those of the records that SQL wrote
     * @param nanos that they wrote, by Spark's own clock, which does not count serializing and compressing
     */
    public record Write(
            SparkWriter writer, OptionalInt partitions, long tasks, long bytes, long records, long rows, long nanos) {

        /**
         * Returns how many temporary files the bypass writer made at most; 0 for every other writer. It makes one for
         * each partition of a task that has a record.
         */
        public long temporaryFiles() {
            return writer == SparkWriter.BYPASS ? Math.min(tasks * partitions.orElse(0), records) : 0;
        }
    }

    /**
     * The sums of a stage's reading from shuffles.
     *
     * @param waitMillis that tasks waited for blocks
     * @param requestMillis from the requests to other hosts to their answers, together; they overlap
     */
    public record Read(
            long localBytes,
            long remoteBytes,
            long localBlocks,
            long remoteBlocks,
            long waitMillis,
            long requestMillis) {}

    /** The bytes that did not fit into the memory of tasks. */
    public record Spill(long memoryBytes, long diskBytes) {}

    /** Returns how long tasks waited for blocks and wrote their own. */
    public double shuffleSeconds() {
        return read.waitMillis() / 1e3 + write.nanos() / 1e9;
    }
}
