package io.boltshuffle.spark.write;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.storage.BlockManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says where a task's files are, and holds Spark's metrics of what is written to them.
 *
 * @param bufferBytes the buffer of a file that is being written
 * @param transfers whether the operating system may copy from file to file
 * @param syncs whether an output has to be on the disk when it is committed (Spark's {@code spark.shuffle.sync})
 */
record WriteFiles(
        BlockManager blocks,
        TaskContext context,
        ShuffleWriteMetricsReporter reporter,
        int bufferBytes,
        boolean transfers,
        boolean syncs) {
    private static final Logger log = LoggerFactory.getLogger(WriteFiles.class);

    SpillFile newSpillFile(int partitions) throws IOException {
        return new SpillFile(blocks.diskBlockManager().createTempShuffleBlock()._2(), partitions, bufferBytes);
    }

    FileAppender newOutput(File file) throws IOException {
        return new FileAppender(FileAppender.open(file), bufferBytes, syncs);
    }

    /** Deletes the rest of a file. The task does not depend on it, because Spark deletes its directories at the end. */
    static void discard(File file) {
        try {
            if (Files.deleteIfExists(file.toPath())) {
                log.debug("{} was deleted", file);
            }
        } catch (IOException e) {
            log.warn("{} could not be deleted", file, e);
        }
    }

    void spilled(long memoryBytes, long diskBytes) {
        context.taskMetrics().incMemoryBytesSpilled(memoryBytes);
        context.taskMetrics().incDiskBytesSpilled(diskBytes);
    }

    void spentWriting(long nanos) {
        reporter.incWriteTime(nanos);
    }
}
