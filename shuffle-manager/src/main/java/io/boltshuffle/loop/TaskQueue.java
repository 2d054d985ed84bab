package io.boltshuffle.loop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Queues tasks from any thread for a loop that sleeps when there are none.
 *
 * <p><b>Invariant:</b> no task waits while the loop sleeps. Each side first publishes what it does and then looks at
 * what the other published, so at least one of them notices.
 *
 * <p><b>Threads:</b> any thread may call {@link #add}; the rest belongs to the loop.
 */
final class TaskQueue {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean asleep;

    /** Adds a task. Returns true if the loop sleeps or may be about to: the caller then has to wake it. */
    boolean add(Runnable task) {
        tasks.add(task);
        return asleep;
    }

    /** Tells that the loop wants to sleep. Returns false if it must not, because there is a task. */
    boolean mayFallAsleep() {
        asleep = true;
        return tasks.isEmpty();
    }

    /** Tells that the loop is awake again, or did not sleep. */
    void wokeUp() {
        asleep = false;
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    int size() {
        return tasks.size();
    }

    @Nullable Runnable poll() {
        return tasks.poll();
    }
}
