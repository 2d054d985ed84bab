package io.boltshuffle.proof.bench.inspark;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.StageInfo;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the figures of stages by the piece of the application that they belong to, which a local property names.
 *
 * <p><b>Threads:</b> confined to Spark's listener bus; the figures may be read when the application has ended, and with
 * it the bus.
 */
final class PieceListener extends SparkListener {
    /** The property; Spark hands it on to the threads that run a query. */
    static final String PIECE = "boltshuffle.bench.piece";

    private final Map<Integer, String> pieces = new HashMap<>();
    private final Map<String, TaskFigures> figures = new HashMap<>();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted stage) {
        @Nullable Properties properties = stage.properties();
        String piece = properties == null ? null : properties.getProperty(PIECE);
        if (piece != null) {
            pieces.put(stage.stageInfo().stageId(), piece);
        }
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted stage) {
        String piece = pieces.get(stage.stageInfo().stageId());
        if (piece != null && stage.stageInfo().failureReason().isEmpty()) {
            figures.merge(piece, figures(stage.stageInfo()), TaskFigures::plus);
        }
    }

    private static TaskFigures figures(StageInfo stage) {
        TaskMetrics metrics = stage.taskMetrics();
        return new TaskFigures(
                (Long) stage.completionTime().get()
                        - (Long) stage.submissionTime().get(),
                metrics.executorRunTime(),
                metrics.executorCpuTime() + metrics.executorDeserializeCpuTime(),
                metrics.shuffleReadMetrics().fetchWaitTime(),
                metrics.shuffleReadMetrics().remoteBytesRead());
    }

    TaskFigures of(String piece) {
        return figures.getOrDefault(piece, TaskFigures.NONE);
    }
}
