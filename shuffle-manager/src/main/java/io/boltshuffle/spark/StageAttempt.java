package io.boltshuffle.spark;

import java.util.Optional;
import org.apache.spark.TaskContext;

/** An attempt at a stage, for which blocks are fetched. */
record StageAttempt(int stage, int attempt) {

    /** Returns the attempt whose task runs on this thread. */
    static Optional<StageAttempt> current() {
        return Optional.ofNullable(TaskContext.get())
                .map(task -> new StageAttempt(task.stageId(), task.stageAttemptNumber()));
    }
}
