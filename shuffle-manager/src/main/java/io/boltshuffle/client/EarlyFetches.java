package io.boltshuffle.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Keeps the fetches that are asked for before a client has met its first agent or has found that none answers.
 *
 * <p><b>Invariant:</b> each fetch that is kept is begun or refused, once.
 *
 * <p><b>Threads:</b> confined to the client's loop.
 */
final class EarlyFetches {
    private final Deque<Fetch> kept = new ArrayDeque<>();
    private boolean over;

    /** A fetch as the client was asked for it. */
    record Fetch(FetchRequest request, long timeoutNanos, FetchListener listener) {
        void refuse() {
            AgentSession.refuse(listener, request.blocks().size());
        }
    }

    /** Keeps a fetch for later; returns false, and keeps nothing, once the outcome is known. */
    boolean keep(Fetch fetch) {
        if (!over) {
            kept.add(fetch);
        }
        return !over;
    }

    /** @param outcome begins what was kept, or refuses it; where it throws, the next call goes on behind that fetch */
    void end(Consumer<Fetch> outcome) {
        over = true;
        while (!kept.isEmpty()) {
            outcome.accept(kept.remove());
        }
    }
}
