package io.boltshuffle.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A thread that owns state, seen by those who run on it. Time is part of it, so that tests can move it. */
public interface Loop extends Executor {

    /** A task that may be called off. */
    interface Timer {
        /** Calls the task off; harmless when it ran already. */
        void cancel();
    }

    /** Runs the task soon, on the loop's thread. From any thread. Tasks given after the loop ended are dropped. */
    @Override
    void execute(Runnable task);

    /** Runs the task on the loop's thread once this much time has passed. Loop's thread only. */
    Timer after(long delayNanos, Runnable task);

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Runs the action on the loop's thread once the future is done, with its value or its failure. From any thread. */
    default <T> void whenDone(CompletableFuture<T> future, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        CompletableFuture<T> unused =
                future.whenComplete((value, failure) -> execute(() -> action.accept(value, failure)));
    }

    /** Whether the caller is on the loop's thread. */
    boolean isCurrent();
}
