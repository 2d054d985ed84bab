package io.boltshuffle.cli.joining;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts for each address how often it called in a minute without proving anything.
 *
 * <p><b>Threads:</b> any.
 */
final class TryBudget {
    /** Somebody who mistypes does so less often. */
    static final int TRIES = 10;

    static final Duration WINDOW = Duration.ofMinutes(1);

    /** Beyond so many addresses the oldest is forgotten, so that a flood of them takes no memory. */
    private static final int MOST_ADDRESSES = 1024;

    private final LongSupplier nanoTime;
    private final Map<InetAddress, Tries> tries = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Tries> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    TryBudget(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Tries(int count, long sinceNanos) {}

    /** Takes a try, before it is known whether it is a right one. Returns whether the address had one left. */
    synchronized boolean take(InetAddress address) {
        long now = nanoTime.getAsLong();
        Tries soFar = tries.get(address);
        if (soFar == null || now - soFar.sinceNanos() > WINDOW.toNanos()) {
            soFar = new Tries(0, now);
        }
        if (soFar.count() == TRIES) {
            return false;
        }
        tries.put(address, new Tries(soFar.count() + 1, soFar.sinceNanos()));
        return true;
    }

    /** Gives a try back, which was a right one. */
    synchronized void giveBack(InetAddress address) {
        tries.computeIfPresent(address, (same, soFar) -> new Tries(Math.max(0, soFar.count() - 1), soFar.sinceNanos()));
    }
}
