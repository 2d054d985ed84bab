package io.boltshuffle.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that owns state, as the code that runs on it sees it. While the thread sleeps, others may take its place for
 * one {@link #hurry task}; they never run at the same time. The loop provides the time, so that tests can move it.
 */
public interface Loop extends Executor {

    /** A task that can be cancelled before its time. */
    interface Timer {
        /** Cancels the task. This has no effect if the task already ran. */
        void cancel();
    }

    /**
     * Runs the task soon, on the loop's thread. Any thread may call this. A loop that ends drops the tasks that are
     * left, and those that come later. A task that somebody waits for is given with {@link #execute(Runnable,
     * Runnable)}.
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs the task as {@link #execute(Runnable)} does or, if the loop ends before, the other. Exactly one of both
     * runs.
     *
     * @param ifDropped tells those who wait that the task never runs. It runs on the loop's thread, or on one that
     *     gives a task, and must not touch what belongs to the loop
     */
    void execute(Runnable task, Runnable ifDropped);

    /**
     * Runs the task here and now if the loop sleeps, or else soon on the loop's thread: to wake that takes longer than
     * most tasks do. The caller may hold locks, but then no task of the loop may wait for them. Tasks run in the order
     * in which a thread gives them, however it gives them. Any thread may call this.
     */
    default void hurry(Runnable task) {
        execute(task);
    }

    /** Runs the task as {@link #hurry(Runnable)} does or, if the loop ends before, the other. */
    default void hurry(Runnable task, Runnable ifDropped) {
        execute(task, ifDropped);
    }

    /** Runs the task on the loop's thread once this much time has passed. Only the loop's thread may call this. */
    Timer after(long delayNanos, Runnable task);

    /** Returns the time as {@link System#nanoTime} does. */
    long nanoTime();

    /**
     * Runs the action on the loop's thread once the future is done, with its value or its failure. Any thread may call
     * this.
     */
    default <T> void whenDone(CompletableFuture<T> future, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        CompletableFuture<T> unused =
                future.whenComplete((value, failure) -> execute(() -> action.accept(value, failure)));
    }
}
