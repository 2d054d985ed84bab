package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.proof.bench.inspark.FetchBenchPlan;
import io.boltshuffle.proof.bench.inspark.ShuffleShape;
import java.util.List;

/**
 * Says how much is measured.
 *
 * @param traced whether blocks are fetched one by one, and each step is recorded
 * @param hostBytes of each block size, on each host
 */
public record FetchScale(
        List<Integer> blockBytes,
        List<Integer> fetchers,
        int rounds,
        long warmUpMillis,
        long measureMillis,
        long hostBytes,
        boolean traced) {

    /** Returns a scale at which a fetch can be followed: one block at a time. */
    public static FetchScale traced(int blockBytes, long warmUpMillis, long measureMillis, long hostBytes) {
        return new FetchScale(List.of(blockBytes), List.of(1), 1, warmUpMillis, measureMillis, hostBytes, true);
    }

    FetchBenchPlan plan(List<Long> agents) {
        int blocksPerRequest = traced ? 1 : Integer.MAX_VALUE;
        return new FetchBenchPlan(shapes(), fetchers, rounds, warmUpMillis, measureMillis, blocksPerRequest, agents);
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
