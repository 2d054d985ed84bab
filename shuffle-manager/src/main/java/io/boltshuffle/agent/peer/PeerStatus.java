package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.cable.CableStatus;
import io.boltshuffle.agent.cable.LinkStatus;
import java.util.List;

/**
 * A peer, for the status.
 *
 * @param state of {@link PeerState}
 * @param detail why it is down, empty otherwise
 * @param cables those that had links so far, over all connections
 */
public record PeerStatus(
        String host,
        String state,
        String detail,
        int fetches,
        int servedPulls,
        List<LinkStatus> links,
        List<CableStatus> cables) {}
