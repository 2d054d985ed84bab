package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.bench.FetchBenchPlan;
import io.boltshuffle.bench.ShuffleShape;
import java.util.List;

/**
 * Says how much is measured.
 *
 * @param hostBytes of each block size, on each host
 */
public record FetchScale(
        List<Integer> blockBytes,
        List<Integer> fetchers,
        int rounds,
        long warmUpMillis,
        long measureMillis,
        long hostBytes) {

    FetchBenchPlan plan(List<Long> agents) {
        return new FetchBenchPlan(shapes(), fetchers, rounds, warmUpMillis, measureMillis, agents);
    }

    /** Returns what the hosts together write to their disks. */
    public long diskBytes(int hosts) {
        return hosts * shapes().stream().mapToLong(ShuffleShape::hostBytes).sum();
    }

    private List<ShuffleShape> shapes() {
        return blockBytes.stream()
                .map(bytes -> ShuffleShape.of(bytes, hostBytes))
                .toList();
    }
}
