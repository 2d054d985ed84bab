package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.ExecutorMetrics;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One job as it ran once.
 *
 * @param agentCpu CPU time of all node agents meanwhile, with what the virtual cables cost
 * @param validation what the check of its output said
 */
record DemoRun(
        String workload,
        ShuffleVariant variant,
        long wallMillis,
        ExecutorMetrics metrics,
        Duration agentCpu,
        boolean valid,
        String validation) {

    /** The part of the bytes from other hosts that came by RDMA; empty for stock Spark and where nothing was counted. */
    OptionalDouble rdmaShare() {
        OptionalLong rdma = metrics.total(Figure.BYTES_BY_TRANSPORT + "rdma");
        OptionalLong netty = metrics.total(Figure.BYTES_BY_TRANSPORT + "netty");
        if (variant != ShuffleVariant.BOLTSHUFFLE || rdma.isEmpty() || netty.isEmpty()) {
            return OptionalDouble.empty();
        }
        long all = rdma.getAsLong() + netty.getAsLong();
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) rdma.getAsLong() / all);
    }
}
