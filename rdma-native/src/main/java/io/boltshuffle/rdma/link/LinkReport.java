package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import java.util.List;

/**
 * The facts that a link found when it came up.
 *
 * @param device name of the local device
 * @param granted queue depths the device granted
 * @param receiving message size and window chosen for what this side fetches
 * @param offerMessageBytes message size the peer chose for what it fetches from here
 * @param calibration all that was measured, in order
 */
public record LinkReport(
        String device,
        LinkMode mode,
        Gid localGid,
        Gid peerGid,
        GrantedDepth granted,
        Candidate receiving,
        int offerMessageBytes,
        List<CalibrationResult> calibration) {}
