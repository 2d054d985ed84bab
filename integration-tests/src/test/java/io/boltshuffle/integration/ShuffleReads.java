package io.boltshuffle.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;

/** Spark's own counts of reads while jobs run. */
final class ShuffleReads extends SparkListener {
    private final SparkContext context;
    private long remoteBytes; // guarded by this
    private long remoteBlocks; // guarded by this
    private long mergedBlocks; // guarded by this
    private long mapTasks; // guarded by this
    private long failedTasks; // guarded by this
    private long killedTasks; // guarded by this
    private long speculativeTasks; // guarded by this
    private final List<Integer> retriedStages = new ArrayList<>(); // guarded by this
    private final List<Integer> tasksOfStages = new ArrayList<>(); // guarded by this

    private ShuffleReads(SparkContext context) {
        this.context = context;
    }

    static ShuffleReads listeningTo(SparkContext context) {
        ShuffleReads reads = new ShuffleReads(context);
        context.addSparkListener(reads);
        return reads;
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        mapTasks += end.taskType().equals("ShuffleMapTask") ? 1 : 0;
        failedTasks += end.taskInfo().failed() ? 1 : 0;
        killedTasks += end.taskInfo().killed() ? 1 : 0;
        speculativeTasks += end.taskInfo().speculative() ? 1 : 0;
        if (end.taskMetrics() != null) {
            ShuffleReadMetrics reads = end.taskMetrics().shuffleReadMetrics();
            remoteBytes += reads.remoteBytesRead();
            remoteBlocks += reads.remoteBlocksFetched();
            mergedBlocks += reads.localMergedBlocksFetched() + reads.remoteMergedBlocksFetched();
        }
    }

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted completed) {
        StageInfo stage = completed.stageInfo();
        tasksOfStages.add(stage.numTasks());
        if (stage.attemptNumber() > 0) {
            retriedStages.add(stage.stageId());
        }
    }

    long remoteBytes() throws TimeoutException {
        settle();
        synchronized (this) {
            return remoteBytes;
        }
    }

    long remoteBlocks() throws TimeoutException {
        settle();
        synchronized (this) {
            return remoteBlocks;
        }
    }

    /** Blocks that were read as parts of push-merged ones. */
    long mergedBlocks() throws TimeoutException {
        settle();
        synchronized (this) {
            return mergedBlocks;
        }
    }

    /** Tasks that wrote, or were to write, shuffle files. */
    long mapTasks() throws TimeoutException {
        settle();
        synchronized (this) {
            return mapTasks;
        }
    }

    long failedTasks() throws TimeoutException {
        settle();
        synchronized (this) {
            return failedTasks;
        }
    }

    long killedTasks() throws TimeoutException {
        settle();
        synchronized (this) {
            return killedTasks;
        }
    }

    /** Further attempts of tasks that Spark thought slow. */
    long speculativeTasks() throws TimeoutException {
        settle();
        synchronized (this) {
            return speculativeTasks;
        }
    }

    /** Stages that ran more than once. */
    List<Integer> retriedStages() throws TimeoutException {
        settle();
        synchronized (this) {
            return List.copyOf(retriedStages);
        }
    }

    /** How many tasks each attempt of a stage had, of those that ended, in good order or not. */
    List<Integer> tasksOfStages() throws TimeoutException {
        settle();
        synchronized (this) {
            return List.copyOf(tasksOfStages);
        }
    }

    /** Events come some time after what they tell of; waits for those on their way. */
    private void settle() throws TimeoutException {
        context.listenerBus().waitUntilEmpty();
    }
}
