package io.boltshuffle.spark.meter;

import java.util.Optional;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/** A try at a stage, on whose behalf blocks are fetched and outputs written. */
public record StageAttempt(int stage, int attempt) {

    /** Returns the attempt whose task runs on this thread. */
    public static Optional<StageAttempt> current() {
        return Optional.ofNullable(TaskContext.get())
                .map(task -> new StageAttempt(task.stageId(), task.stageAttemptNumber()));
    }

    /** Equals what a record's own would, which makes its code when an executor's first task calls it. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StageAttempt that && stage == that.stage && attempt == that.attempt;
    }

    @Override
    public int hashCode() {
        return 31 * stage + attempt;
    }
}
