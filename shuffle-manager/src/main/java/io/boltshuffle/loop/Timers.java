package io.boltshuffle.loop;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Holds tasks until their time. Tasks that are due at the same time run in the order they were given. Confined to one
 * thread.
 */
public final class Timers {

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::dueNanos).thenComparingLong(Entry::order));
    private long nextOrder;

    /**
     * Adds a task.
     *
     * @param dueNanos when the task is due, by the clock that the caller of {@link #nextDue} uses
     */
    public Loop.Timer add(long dueNanos, Runnable task) {
        Entry entry = new Entry(dueNanos, nextOrder++, task);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    /** Removes and returns the next task whose time has come, or null if there is none. */
    public @Nullable Runnable nextDue(long nowNanos) {
        Entry first = entries.peek();
        if (first == null || first.dueNanos > nowNanos) {
            return null;
        }
        entries.remove();
        return first.task;
    }

    /** Returns when the next task is due, or {@link Long#MAX_VALUE} if there is none. */
    public long nextDueNanos() {
        Entry first = entries.peek();
        return first == null ? Long.MAX_VALUE : first.dueNanos;
    }

    private record Entry(long dueNanos, long order, Runnable task) {}
}
