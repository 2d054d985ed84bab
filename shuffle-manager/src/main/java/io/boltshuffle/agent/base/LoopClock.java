package io.boltshuffle.agent.base;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.PoolClock;

/** The loop's time for the pool. Requests that may wait come from the loop only, so the loop's timers serve them. */
public record LoopClock(Loop loop) implements PoolClock {

    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }

    @Override
    public Timeout schedule(long deadlineNanos, Runnable task) {
        Loop.Timer timer = loop.after(deadlineNanos - loop.nanoTime(), task);
        return timer::cancel;
    }
}
