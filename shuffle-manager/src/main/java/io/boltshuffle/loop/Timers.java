package io.boltshuffle.loop;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Holds tasks until their time. Tasks that are due at the same time run in the order they were given. Most are
 * cancelled long before their time, so a cancelled one only loses its task, and its entry stays for a while.
 *
 * <p><b>Invariant:</b> no more than half of the entries, and a few, are of cancelled tasks.
 *
 * <p><b>Threads:</b> confined to one at a time.
 */
public final class Timers {

    /** Fewer cancelled entries than this are not worth a search. */
    private static final int FEW = 64;

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.<Entry>comparingLong(entry -> entry.dueNanos).thenComparingLong(entry -> entry.order));
    private long nextOrder;
    private int cancelled;

    /** A task and its time. */
    private final class Entry implements Loop.Timer {
        private final long dueNanos;
        private final long order;
        /** Null once it is cancelled or about to run. */
        private @Nullable Runnable task;

        Entry(long dueNanos, long order, Runnable task) {
            this.dueNanos = dueNanos;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            if (task != null) {
                task = null;
                cancelled++;
                dropCancelled();
            }
        }
    }

    /** @param dueNanos when the task is due, by the clock that the caller of {@link #nextDue} uses */
    public Loop.Timer add(long dueNanos, Runnable task) {
        Entry entry = new Entry(dueNanos, nextOrder++, task);
        entries.add(entry);
        return entry;
    }

    /** Removes and returns the next task whose time has come, or null if there is none. */
    public @Nullable Runnable nextDue(long nowNanos) {
        Entry first = first();
        if (first == null || first.dueNanos > nowNanos) {
            return null;
        }
        entries.remove();
        Runnable due = first.task;
        first.task = null;
        return due;
    }

    /** Returns when the next task is due, or {@link Long#MAX_VALUE} if there is none. */
    public long nextDueNanos() {
        Entry first = first();
        return first == null ? Long.MAX_VALUE : first.dueNanos;
    }

    /** Returns how many entries there are, those of cancelled tasks included. Only tests ask. */
    int size() {
        return entries.size();
    }

    /** Returns the first entry that was not cancelled. */
    private @Nullable Entry first() {
        Entry first = entries.peek();
        while (first != null && first.task == null) {
            entries.remove();
            cancelled--;
            first = entries.peek();
        }
        return first;
    }

    /** Costs as much as the cancellations since the last time, and so nothing for each. */
    private void dropCancelled() {
        if (cancelled > FEW && cancelled > entries.size() / 2) {
            entries.removeIf(entry -> entry.task == null);
            cancelled = 0;
        }
    }
}
