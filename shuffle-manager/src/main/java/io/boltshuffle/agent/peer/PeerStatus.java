package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.cable.CableStatus;
import io.boltshuffle.agent.cable.LinkStatus;
import java.util.List;

/**
 * A peer, for the status.
 *
 * @param state of {@link PeerState}
 * @param detail why it is not reachable by RDMA; empty if it is, or was never asked for
 * @param cutOffSince when it was found not to be reachable by RDMA, as ISO 8601 has it; empty if it is, or was never
 *     asked for
 * @param cables those that had links so far, over all connections
 */
public record PeerStatus(
        String host,
        String state,
        String detail,
        String cutOffSince,
        int fetches,
        int servedPulls,
        List<LinkStatus> links,
        List<CableStatus> cables) {}
