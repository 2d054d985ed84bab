package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.base.Backoff;
import io.boltshuffle.wire.LiveBlock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Executors of a peer's host of which the peer's agent says nothing: a fetch from them had no answer at all, not even a
 * refusal, until its time was over. The next ones need not wait as long, each for itself.
 *
 * <p><b>Invariant:</b> after such a fetch, one at a time tries again, at growing intervals. All others are refused at
 * once, until one has an answer.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class SilentSources {

    static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

    /** Executors that are gone are never heard of again. */
    private static final int MOST = 1024;

    /** @param isLive whether it is asked for blocks of its memory: another part of the peer answers for its files */
    private record Source(String application, String executor, boolean isLive) {
        static Source of(FetchOrder order) {
            return new Source(
                    order.application(),
                    order.executor(),
                    LiveBlock.isNamedBy(order.blocks().get(0)));
        }
    }

    private static final class Silence {
        private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        private long untilNanos;
        private boolean tried;

        Silence(long nowNanos) {
            untilNanos = nowNanos;
        }
    }

    private final Map<Source, Silence> silent = new HashMap<>();

    /** Returns why a fetch is not to be begun; if it is, and its source was silent, it is the one that tries. */
    Optional<String> refusal(FetchOrder order, long nowNanos) {
        Silence silence = silent.isEmpty() ? null : silent.get(Source.of(order));
        if (silence == null) {
            return Optional.empty();
        }
        if (silence.tried || silence.untilNanos - nowNanos > 0) {
            return Optional.of("nothing came of the last fetch from executor " + order.executor() + " of "
                    + order.application() + " on " + order.host() + ": others go by TCP until one is answered");
        }
        silence.tried = true;
        return Optional.empty();
    }

    /** Notes that no byte of a fetch came in its time. */
    void silent(FetchOrder order, long nowNanos) {
        if (silent.size() >= MOST) {
            silent.values().removeIf(silence -> !silence.tried);
        }
        Silence silence = silent.computeIfAbsent(Source.of(order), source -> new Silence(nowNanos));
        // Those that were under way together fail together, and count as one.
        if (silence.tried || silence.untilNanos - nowNanos <= 0) {
            silence.untilNanos = nowNanos + silence.pauses.afterFailureNanos();
        }
        silence.tried = false;
    }

    /** A fetch was answered. */
    void heard(FetchOrder order) {
        if (!silent.isEmpty()) {
            silent.remove(Source.of(order));
        }
    }

    /** A fetch was called off before it could tell. */
    void calledOff(FetchOrder order) {
        Silence silence = silent.isEmpty() ? null : silent.get(Source.of(order));
        if (silence != null) {
            silence.tried = false;
        }
    }
}
