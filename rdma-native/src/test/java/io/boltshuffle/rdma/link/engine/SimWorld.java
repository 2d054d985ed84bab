package io.boltshuffle.rdma.link.engine;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: events in order of their time, ties in order of their making. Everything random comes from one seed.
 */
final class SimWorld {

    private record Event(long nanos, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private final SplittableRandom random;
    private long now;
    private long made;

    SimWorld(long seed) {
        this.random = new SplittableRandom(seed);
    }

    long now() {
        return now;
    }

    SplittableRandom random() {
        return random;
    }

    /** A number from {@code low} up to, not including, {@code high}. */
    long between(long low, long high) {
        return random.nextLong(low, high);
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    void after(long nanos, Runnable action) {
        events.add(new Event(now + nanos, made++, action));
    }

    @Nullable Long nextNanos() {
        Event next = events.peek();
        return next == null ? null : next.nanos();
    }

    /** Lets time pass until {@code nanos} and runs what is due then. */
    void advanceTo(long nanos) {
        now = Math.max(now, nanos);
        for (Event next = events.peek(); next != null && next.nanos() <= now; next = events.peek()) {
            events.remove();
            next.action().run();
        }
    }

    /** A thread that does one thing after the other, and may get stuck. */
    final class SimThread implements Executor {
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private final long maxNanos;
        private int tasksUntilStuck = Integer.MAX_VALUE;
        private boolean running;
        private @Nullable Runnable stuck;

        SimThread(long maxNanos) {
            this.maxNanos = maxNanos;
        }

        /** The n-th task from now never returns. */
        void getStuckAfter(int n) {
            tasksUntilStuck = n;
        }

        /** Lets the call return that hung, and does all that waited behind it. */
        void returnLate() {
            Runnable task = stuck;
            if (task == null) {
                throw new IllegalStateException("nothing hangs");
            }
            stuck = null;
            tasksUntilStuck = Integer.MAX_VALUE;
            finish(task);
        }

        boolean isStuck() {
            return tasksUntilStuck < 0;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
            runNext();
        }

        private void finish(Runnable task) {
            after(between(1, maxNanos), () -> {
                task.run();
                running = false;
                runNext();
            });
        }

        private void runNext() {
            if (running || tasks.isEmpty()) {
                return;
            }
            running = true;
            Runnable task = tasks.remove();
            if (tasksUntilStuck-- <= 0) {
                tasksUntilStuck = -1;
                stuck = task;
                return;
            }
            finish(task);
        }
    }
}
