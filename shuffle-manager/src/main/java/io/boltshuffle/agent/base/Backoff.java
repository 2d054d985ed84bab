package io.boltshuffle.agent.base;

import java.time.Duration;

/** Waiting times that double with each failure in a row, up to a limit. Confined to one thread. */
public final class Backoff {

    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;

    public Backoff(Duration first, Duration longest) {
        this.firstNanos = first.toNanos();
        this.longestNanos = longest.toNanos();
        this.nextNanos = firstNanos;
    }

    /** Returns how long to wait after one more failure. */
    public long afterFailureNanos() {
        long wait = nextNanos;
        nextNanos = Math.min(longestNanos, 2 * nextNanos);
        return wait;
    }

    public void succeeded() {
        nextNanos = firstNanos;
    }
}
