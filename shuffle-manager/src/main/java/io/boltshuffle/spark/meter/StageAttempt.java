package io.boltshuffle.spark.meter;

import java.util.Optional;
import org.apache.spark.TaskContext;

/** A try at a stage, on whose behalf blocks are fetched and outputs written. */
public record StageAttempt(int stage, int attempt) {

    /** Returns the attempt whose task runs on this thread. */
    public static Optional<StageAttempt> current() {
        return Optional.ofNullable(TaskContext.get())
                .map(task -> new StageAttempt(task.stageId(), task.stageAttemptNumber()));
    }
}
