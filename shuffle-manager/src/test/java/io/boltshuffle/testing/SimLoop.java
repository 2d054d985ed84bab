package io.boltshuffle.testing;

import io.boltshuffle.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * A loop that does what it is told, when it is told. A test lets time pass with {@link #advance}, and what is due then
 * happens in its order, tasks before timers; or it leaves the clock where it is, and chooses the next task or timer
 * itself, because what a timer is for may happen at any moment.
 */
public final class SimLoop implements Loop {

    /** Heartbeats are as good as never. A timer of so long or longer is forgotten. */
    public static final Duration NEVER = Duration.ofDays(1);

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<SimTimer> timers = new ArrayList<>();
    private long nowNanos;
    private boolean sleeps;
    private boolean running;

    private final class SimTimer implements Timer {
        private final long dueNanos;
        private final Runnable task;

        SimTimer(long dueNanos, Runnable task) {
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

    /**
     * From now on the loop sleeps when it has nothing to do, and what is hurried then is done at once. Otherwise it is
     * always awake, and what is hurried waits with the other tasks.
     */
    public void maySleep() {
        sleeps = true;
    }

    @Override
    public void hurry(Runnable task) {
        if (sleeps && !running && tasks.isEmpty()) {
            run(task);
        } else {
            execute(task);
        }
    }

    @Override
    public void hurry(Runnable task, Runnable ifDropped) {
        hurry(task);
    }

    private void run(Runnable task) {
        running = true;
        try {
            task.run();
        } finally {
            running = false;
        }
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
        SimTimer timer = new SimTimer(nowNanos + delayNanos, task);
        if (delayNanos < NEVER.toNanos()) {
            timers.add(timer);
            timers.sort(Comparator.comparingLong(each -> each.dueNanos)); // stable: of two due together the older first
        }
        return timer;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    public boolean hasTask() {
        return !tasks.isEmpty();
    }

    public void runTask() {
        run(tasks.remove());
    }

    /** Timers that wait, the first due first. */
    public int timers() {
        return timers.size();
    }

    /** Does what a timer is for, and leaves the clock where it is. */
    public void fire(int index) {
        run(timers.remove(index).task);
    }

    /** Does what is due now. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Lets time pass, and does what is due meanwhile. */
    public void advance(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (true) {
            while (hasTask()) {
                runTask();
            }
            if (timers.isEmpty() || timers.get(0).dueNanos > endNanos) {
                nowNanos = endNanos;
                return;
            }
            nowNanos = timers.get(0).dueNanos;
            fire(0);
        }
    }
}
