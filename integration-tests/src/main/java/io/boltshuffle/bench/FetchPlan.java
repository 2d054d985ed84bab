package io.boltshuffle.bench;

import java.io.Serializable;
import java.util.List;

/**
 * What {@link FetchBench} is to measure: every shape with every number of fetchers, by both routes by turns.
 *
 * @param fetchers requests under way at once, one list entry for each measurement
 * @param rounds measurements of each kind
 * @param warmUpMillis for each shape and route before it counts, so that the virtual machines have compiled what they
 * run
 * @param agents process ids of the node agents of both hosts
 */
public record FetchPlan(
        List<ShuffleShape> shapes,
        List<Integer> fetchers,
        int rounds,
        long warmUpMillis,
        long measureMillis,
        List<Long> agents)
        implements Serializable {

    public int measurements() {
        return shapes.size() * fetchers.size() * rounds * FetchRoute.values().length;
    }
}
