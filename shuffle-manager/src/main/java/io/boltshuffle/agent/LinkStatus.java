package io.boltshuffle.agent;

import io.boltshuffle.rdma.link.LinkCounters;
import org.jspecify.annotations.Nullable;

/**
 * A link to a peer, for the status.
 *
 * @param near this host's device and port
 * @param far the peer's
 * @param state what it does
 * @param detail why it is down, or what it was calibrated to
 */
public record LinkStatus(
        int id,
        String near,
        String far,
        String state,
        String detail,
        @Nullable LinkCounters counters) {}
