package io.boltshuffle.testing;

import io.boltshuffle.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;

/** A loop whose time passes when somebody says so. What is due is done in its order, tasks before timers. */
public final class VirtualLoop implements Loop {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Queue<VirtualTimer> timers = new PriorityQueue<>(
            Comparator.comparingLong((VirtualTimer timer) -> timer.dueNanos).thenComparingLong(timer -> timer.number));
    private long nowNanos;
    private long count;

    private final class VirtualTimer implements Timer {
        private final long dueNanos;
        private final long number;
        private final Runnable task;

        VirtualTimer(long dueNanos, long number, Runnable task) {
            this.dueNanos = dueNanos;
            this.number = number;
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

    @Override
    public Timer after(long delayNanos, Runnable task) {
        VirtualTimer timer = new VirtualTimer(nowNanos + delayNanos, count++, task);
        timers.add(timer);
        return timer;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public boolean isCurrent() {
        return true;
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
            VirtualTimer next = timers.peek();
            if (next == null || next.dueNanos > endNanos) {
                nowNanos = endNanos;
                return;
            }
            timers.remove();
            nowNanos = next.dueNanos;
            next.task.run();
        }
    }
}
