package io.boltshuffle.testing;

import io.boltshuffle.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * A loop that does what it is told, when it is told. Its clock stands still: what a timer is for may happen at any
 * moment, and the test chooses the moment.
 */
public final class SimLoop implements Loop {

    /** Heartbeats are as good as never. */
    public static final Duration NEVER = Duration.ofDays(1);

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<SimTimer> timers = new ArrayList<>();
    private boolean sleeps;
    private boolean running;

    private final class SimTimer implements Timer {
        private final long delayNanos;
        private final Runnable task;

        SimTimer(long delayNanos, Runnable task) {
            this.delayNanos = delayNanos;
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
        SimTimer timer = new SimTimer(delayNanos, task);
        if (delayNanos < NEVER.toNanos()) {
            timers.add(timer);
            timers.sort(Comparator.comparingLong(each -> each.delayNanos));
        }
        return timer;
    }

    @Override
    public long nanoTime() {
        return 0;
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

    public void fire(int index) {
        run(timers.remove(index).task);
    }
}
