package io.boltshuffle.spark.ui;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;

/** Passes Spark's events of stages and tasks to a history. */
class StageListener extends SparkListener {
    private final ShuffleHistory history;
    private final StageNames names = new StageNames();

    StageListener(ShuffleHistory history) {
        this.history = history;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
        StageInfo stage = event.stageInfo();
        history.stageSubmitted(stage.stageId(), stage.attemptNumber(), names.of(stage.name(), event.properties()));
    }

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
        names.heard(event);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
        if (event.taskMetrics() != null) { // a lost task has none
            history.taskEnded(event.stageId(), event.stageAttemptId(), event.taskMetrics());
        }
    }
}
