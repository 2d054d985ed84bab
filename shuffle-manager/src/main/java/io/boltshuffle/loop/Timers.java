package io.boltshuffle.loop;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks waiting for their time. Those due at the same time run in the order they were given. Confined to one thread.
 */
public final class Timers {

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::dueNanos).thenComparingLong(Entry::order));
    private long nextOrder;

    /** @param dueNanos by the clock of whoever calls {@link #nextDue} */
    public Loop.Timer add(long dueNanos, Runnable task) {
        Entry entry = new Entry(dueNanos, nextOrder++, task);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    /** Takes the next task whose time has come, null if there is none. */
    public @Nullable Runnable nextDue(long nowNanos) {
        Entry first = entries.peek();
        if (first == null || first.dueNanos > nowNanos) {
            return null;
        }
        entries.remove();
        return first.task;
    }

    /** When the next task is due, or {@link Long#MAX_VALUE}. */
    public long nextDueNanos() {
        Entry first = entries.peek();
        return first == null ? Long.MAX_VALUE : first.dueNanos;
    }

    private record Entry(long dueNanos, long order, Runnable task) {}
}
