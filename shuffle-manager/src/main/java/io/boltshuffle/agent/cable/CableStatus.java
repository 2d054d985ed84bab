package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.LinkFailure;
import java.util.Map;

/**
 * A cable to a peer, for the status.
 *
 * @param ups links that came up on it so far
 * @param failures links that went down, by reason; those that found damaged bytes are under {@code CHECKSUM_MISMATCH}
 */
public record CableStatus(String near, String far, long ups, Map<LinkFailure.Reason, Long> failures) {}
