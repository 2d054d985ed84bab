package io.boltshuffle.rdma.memory;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The time as a pool sees it, so that tests can move it. */
public interface PoolClock {

    /** Returns the time as {@link System#nanoTime()} does: only differences have a meaning. */
    long nanoTime();

    /** Runs the task once, when {@link #nanoTime()} reaches the deadline, on a thread of the clock's choice. */
    Timeout schedule(long deadlineNanos, Runnable task);

    /** A scheduled task. */
    interface Timeout {
        /** Cancels the task. This has no effect after the task ran. */
        void cancel();
    }

    /**
     * Returns a clock of real time, with timeouts on the given executor.
     *
     * @param executor should drop cancelled tasks at once, see
     * {@link java.util.concurrent.ScheduledThreadPoolExecutor#setRemoveOnCancelPolicy}
     */
    static PoolClock of(ScheduledExecutorService executor) {
        return new PoolClock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Timeout schedule(long deadlineNanos, Runnable task) {
                Future<?> future = executor.schedule(task, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            }
        };
    }
}
