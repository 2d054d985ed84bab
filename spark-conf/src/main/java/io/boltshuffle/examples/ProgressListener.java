package io.boltshuffle.examples;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;

/**
 * Prints {@link ProgressLine}s: {@code --conf spark.extraListeners=io.boltshuffle.examples.ProgressListener}.
 *
 * <p><b>Threads:</b> confined to Spark's listener bus.
 */
public final class ProgressListener extends SparkListener {
    private final PrintStream out = System.out;
    private final Map<Integer, StageInfo> running = new HashMap<>();
    private final Map<Integer, Integer> done = new HashMap<>();
    private long firstJobMillis = -1;
    private long lastJobMillis = -1;

    @Override
    public void onJobStart(SparkListenerJobStart job) {
        if (firstJobMillis < 0) {
            firstJobMillis = job.time();
        }
    }

    @Override
    public void onJobEnd(SparkListenerJobEnd job) {
        lastJobMillis = job.time();
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
        StageInfo stage = submitted.stageInfo();
        running.put(stage.stageId(), stage);
        done.put(stage.stageId(), 0);
        printTasks(stage);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
        StageInfo stage = running.get(task.stageId());
        if (stage != null && task.reason() == Success$.MODULE$) {
            done.merge(task.stageId(), 1, Integer::sum);
            printTasks(stage);
        }
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
        running.remove(completed.stageInfo().stageId());
    }

    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
        if (firstJobMillis >= 0) {
            print(new ProgressLine.JobsDone(Math.max(lastJobMillis, firstJobMillis) - firstJobMillis));
        }
    }

    private void printTasks(StageInfo stage) {
        print(new ProgressLine.Tasks(
                stage.stageId(), name(stage), done.getOrDefault(stage.stageId(), 0), stage.numTasks()));
    }

    /**
     * Returns a name. A stage of a query has the name of the executor service that submitted it, which says nothing.
     */
    private static String name(StageInfo stage) {
        return stage.name().startsWith("$anonfun") ? "query" : stage.name();
    }

    private void print(ProgressLine line) {
        out.println(line.format());
    }
}
