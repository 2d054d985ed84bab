package io.boltshuffle.proof.bench.blocks.inspark;

import java.io.Serializable;
import java.util.List;

/**
 * Says what {@link BlocksBench} measures.
 *
 * @param broadcastBytes sizes of broadcasts
 * @param cachedBytes of the partitions that are read
 * @param resultBytes of one task's result
 * @param repeats measurements of each
 * @param smallRepeats measurements of what has at most {@link #SMALL_BYTES}
 * @param byRdma whether blocks are expected to go by RDMA
 * @param agents process ids of the node agents; empty without
 */
public record BlocksBenchPlan(
        List<Integer> broadcastBytes,
        int cachedBytes,
        int resultBytes,
        int repeats,
        int smallRepeats,
        boolean byRdma,
        List<Long> agents)
        implements Serializable {

    /** The size of block up to which the cost of the request itself shows, and takes many measurements. */
    public static final int SMALL_BYTES = 1 << 20;

    int repeatsOf(int bytes) {
        return bytes <= SMALL_BYTES ? smallRepeats : repeats;
    }
}
