package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.compare.Cut;
import java.time.Duration;
import java.util.List;

/**
 * Says what is measured.
 *
 * @param hosts of each cluster
 * @param cablesPerPair of each cluster, too: every number of hosts with every number of cables
 * @param bytes of each shuffle
 * @param rest how long agents are watched at rest
 */
public record ScalePlan(
        CableKind cables,
        List<Integer> hosts,
        List<Integer> cablesPerPair,
        long bytes,
        Cut few,
        Cut many,
        int reads,
        Duration rest) {

    /** Counts all shuffles, because those of the clusters are removed only at the end. */
    public long diskBytes() {
        return bytes * 3 * hosts.size() * cablesPerPair.size();
    }
}
