package io.boltshuffle.spark.write;

import java.io.File;
import java.io.IOException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.storage.BlockManager;

/**
 * Where a task's files are, and Spark's metrics of what is written to them.
 *
 * @param bufferBytes of a file that is being written
 * @param transfers whether the operating system may copy from file to file
 */
record WriteFiles(
        BlockManager blocks,
        TaskContext context,
        ShuffleWriteMetricsReporter reporter,
        int bufferBytes,
        boolean transfers) {

    SpillFile newSpillFile(int partitions) throws IOException {
        return new SpillFile(blocks.diskBlockManager().createTempShuffleBlock()._2(), partitions, bufferBytes);
    }

    FileAppender newOutput(File file) throws IOException {
        return new FileAppender(file, bufferBytes);
    }

    void spilled(long memoryBytes, long diskBytes) {
        context.taskMetrics().incMemoryBytesSpilled(memoryBytes);
        context.taskMetrics().incDiskBytesSpilled(diskBytes);
    }

    void spentWriting(long nanos) {
        reporter.incWriteTime(nanos);
    }
}
