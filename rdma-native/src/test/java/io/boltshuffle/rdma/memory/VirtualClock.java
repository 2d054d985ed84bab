package io.boltshuffle.rdma.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;

/** Time that passes when a test says so. */
final class VirtualClock implements PoolClock {

    private record Entry(long deadlineNanos, Runnable task) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::deadlineNanos));
    private long now;
    private boolean stopped;

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Timeout schedule(long deadlineNanos, Runnable task) {
        if (stopped) {
            throw new RejectedExecutionException("stopped");
        }
        Entry entry = new Entry(deadlineNanos, task);
        entries.add(entry);
        return () -> cancel(entry);
    }

    private synchronized void cancel(Entry entry) {
        entries.remove(entry);
    }

    synchronized int scheduled() {
        return entries.size();
    }

    /** Refuses to schedule anything from now on. */
    synchronized void stop() {
        stopped = true;
    }

    void advanceTo(long nanos) {
        List<Entry> due = new ArrayList<>();
        synchronized (this) {
            now = nanos;
            while (!entries.isEmpty() && entries.peek().deadlineNanos() <= now) {
                due.add(entries.remove());
            }
        }
        due.forEach(entry -> entry.task().run());
    }
}
