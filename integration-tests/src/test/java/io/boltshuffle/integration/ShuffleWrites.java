package io.boltshuffle.integration;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Spark's own counts of what tasks write. */
final class ShuffleWrites extends SparkListener {
    private final SparkContext context;
    private long bytesWritten; // guarded by this
    private long diskBytesSpilled; // guarded by this
    private long peakMemory; // guarded by this

    private ShuffleWrites(SparkContext context) {
        this.context = context;
    }

    static ShuffleWrites listeningTo(SparkContext context) {
        ShuffleWrites writes = new ShuffleWrites(context);
        context.addSparkListener(writes);
        return writes;
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null) {
            bytesWritten += metrics.shuffleWriteMetrics().bytesWritten();
            diskBytesSpilled += metrics.diskBytesSpilled();
            peakMemory = Math.max(peakMemory, metrics.peakExecutionMemory());
        }
    }

    long bytesWritten() {
        settle();
        synchronized (this) {
            return bytesWritten;
        }
    }

    long diskBytesSpilled() {
        settle();
        synchronized (this) {
            return diskBytesSpilled;
        }
    }

    /** Returns the largest peak of any one task. */
    long peakMemory() {
        settle();
        synchronized (this) {
            return peakMemory;
        }
    }

    private void settle() {
        try {
            context.listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
