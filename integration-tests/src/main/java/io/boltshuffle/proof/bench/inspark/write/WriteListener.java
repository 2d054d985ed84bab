package io.boltshuffle.proof.bench.inspark.write;

import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;

/**
 * Adds up the figures of all stages of an application.
 *
 * <p><b>Threads:</b> confined to Spark's listener bus; the figures may be read when the application has ended, and with
 * it the bus.
 */
final class WriteListener extends SparkListener {
    private WriteFigures figures = WriteFigures.NONE;

    @Override
    public void onStageCompleted(SparkListenerStageCompleted stage) {
        TaskMetrics metrics = stage.stageInfo().taskMetrics();
        figures = figures.plus(
                new WriteFigures(metrics.executorCpuTime(), metrics.jvmGCTime(), metrics.diskBytesSpilled()));
    }

    WriteFigures figures() {
        return figures;
    }
}
