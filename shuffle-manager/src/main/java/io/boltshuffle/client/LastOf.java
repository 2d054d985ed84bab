package io.boltshuffle.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Acts when it has run so many times: the last release of the blocks in one lease gives the lease back.
 *
 * <p><b>Threads:</b> any.
 */
final class LastOf implements Runnable {

    private final AtomicInteger left;
    private final Runnable action;

    LastOf(int times, Runnable action) {
        this.left = new AtomicInteger(times);
        this.action = action;
    }

    @Override
    public void run() {
        if (left.decrementAndGet() == 0) {
            action.run();
        }
    }
}
