package io.boltshuffle.testing;

import io.boltshuffle.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** A loop whose time passes only when a test says so. It does what is due in its order, tasks before timers. */
public final class VirtualLoop implements Loop {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<VirtualTimer> timers = new ArrayList<>();
    private long nowNanos;

    private final class VirtualTimer implements Timer {
        private final long dueNanos;
        private final Runnable task;

        VirtualTimer(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        @Override
        public void cancel() {
            timers.remove(this);
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** The loop never ends, so it drops nothing. */
    @Override
    public void execute(Runnable task, Runnable ifDropped) {
        execute(task);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
        VirtualTimer timer = new VirtualTimer(nowNanos + delayNanos, task);
        timers.add(timer);
        timers.sort(
                Comparator.comparingLong(each -> each.dueNanos)); // stable: of those due together the older goes first
        return timer;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Timers that wait. */
    public int timers() {
        return timers.size();
    }

    /** Does what is due now. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Lets time pass, and does what is due meanwhile. */
    public void advance(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (true) {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
            if (timers.isEmpty() || timers.get(0).dueNanos > endNanos) {
                nowNanos = endNanos;
                return;
            }
            VirtualTimer next = timers.remove(0);
            nowNanos = next.dueNanos;
            next.task.run();
        }
    }
}
