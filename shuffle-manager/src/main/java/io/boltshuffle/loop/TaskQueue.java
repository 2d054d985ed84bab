package io.boltshuffle.loop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from any thread for a loop that sleeps when there are none.
 *
 * <p><b>Invariant:</b> no task waits beside a sleeping loop: each side first says what it does, then looks at what the
 * other said, so that one of them notices.
 *
 * <p><b>Threads:</b> {@link #add} from any; the rest belongs to the loop.
 */
final class TaskQueue {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean asleep;

    /** True if the loop sleeps or may be about to: then the caller has to wake it. */
    boolean add(Runnable task) {
        tasks.add(task);
        return asleep;
    }

    /** The loop wants to sleep. False if it must not, because there is a task. */
    boolean mayFallAsleep() {
        asleep = true;
        return tasks.isEmpty();
    }

    /** The loop is awake, or did not sleep. */
    void wokeUp() {
        asleep = false;
    }

    int size() {
        return tasks.size();
    }

    @Nullable Runnable poll() {
        return tasks.poll();
    }
}
