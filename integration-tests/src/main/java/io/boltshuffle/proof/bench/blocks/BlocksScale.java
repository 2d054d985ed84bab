package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.proof.bench.blocks.inspark.BlocksBenchPlan;
import java.util.List;

/**
 * Says how much is measured.
 *
 * @param rounds applications of each of the two, by turns
 * @param repeats measurements of each kind in an application, and {@code smallRepeats} of small ones
 */
public record BlocksScale(
        List<Integer> broadcastBytes, int cachedBytes, int resultBytes, int rounds, int repeats, int smallRepeats) {

    BlocksBenchPlan plan(boolean byRdma, List<Long> agents) {
        return new BlocksBenchPlan(broadcastBytes, cachedBytes, resultBytes, repeats, smallRepeats, byRdma, agents);
    }
}
