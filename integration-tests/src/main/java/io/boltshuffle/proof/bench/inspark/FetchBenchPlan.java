package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;
import java.util.List;

/**
 * Says what {@link FetchBench} measures: every shape with every number of fetchers, alternately by both routes.
 *
 * @param fetchers requests under way at once, one list entry for each measurement
 * @param rounds measurements of each kind
 * @param warmUpMillis for each shape and route before it counts, so that the virtual machines have compiled what they
 * run
 * @param blocksPerRequest the most, where Spark would not ask for fewer
 * @param agents process ids of the node agents of both hosts
 */
public record FetchBenchPlan(
        List<ShuffleShape> shapes,
        List<Integer> fetchers,
        int rounds,
        long warmUpMillis,
        long measureMillis,
        int blocksPerRequest,
        List<Long> agents)
        implements Serializable {

    public int measurements() {
        return shapes.size() * fetchers.size() * rounds * FetchRoute.values().length;
    }
}
