package io.boltshuffle.agent.cable;

import io.boltshuffle.agent.base.Backoff;
import io.boltshuffle.rdma.VerbsException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a port rest while other programs hold all queue pairs or memory regions of its device. Each attempt would take
 * what is left of the other kind, and pin the slab, for nothing.
 *
 * <p><b>Threads:</b> told on the port's control thread, asked on any.
 */
final class Shortage {
    private static final Logger LOG = LoggerFactory.getLogger(Shortage.class);
    private static final Duration FIRST_REST = Duration.ofSeconds(5);
    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** Names of what a device has few of, by the calls that take one. */
    private static final Map<String, String> TAKEN_BY = Map.of(
            "ibv_create_qp", "queue pairs",
            "ibv_reg_mr", "memory regions",
            "ibv_create_cq", "completion queues");

    /** ENOMEM and EBUSY, which have one number on Linux and macOS. Apple says EBUSY where queue pairs are used up. */
    private static final Set<Integer> USED_UP = Set.of(12, 16);

    /** @param end when the next attempt may be made */
    private record Rest(Instant since, Instant end, String text) {}

    private final String device;
    private final InstantSource clock;
    private final Backoff backoff = new Backoff(FIRST_REST, LONGEST_REST);
    private volatile @Nullable Rest rest;

    Shortage(String device, InstantSource clock) {
        this.device = device;
        this.clock = clock;
    }

    /** Returns why the device is to be left alone for now; null if it may be tried. */
    @Nullable String resting() {
        Rest now = rest;
        return now != null && clock.instant().isBefore(now.end()) ? now.text() : null;
    }

    /** An attempt failed, for want of something that other programs have or for another reason. */
    void onFailure(@Nullable Throwable failure) {
        VerbsException refusal = refusal(failure);
        if (refusal == null) {
            return;
        }
        Rest before = rest;
        Instant now = clock.instant();
        Instant since = before == null ? now : before.since();
        Instant end = now.plusNanos(backoff.afterFailureNanos());
        String text = "paused since %s, and tried again from %s on: %s has no %s left, which other programs hold: %s"
                .formatted(seconds(since), seconds(end), device, TAKEN_BY.get(refusal.call()), refusal.getMessage());
        if (before == null) {
            LOG.warn("{}: {}; blocks go by TCP", device, text);
        }
        rest = new Rest(since, end, text);
    }

    void onLinkUp() {
        if (rest != null) {
            LOG.info("{} is used again", device);
        }
        rest = null;
        backoff.succeeded();
    }

    /** Returns a sentence about the rest, also while it is tried to end it; empty if there is none. */
    String status() {
        Rest now = rest;
        return now == null ? "" : now.text();
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static @Nullable VerbsException refusal(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof VerbsException verbs
                    && TAKEN_BY.containsKey(verbs.call())
                    && USED_UP.contains(verbs.errno())) {
                return verbs;
            }
        }
        return null;
    }
}
