package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.ExecutorMetrics;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.time.Duration;
import java.util.OptionalDouble;

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

    /**
     * The part of the bytes from other hosts that came by RDMA; empty for stock Spark and where nothing was counted.
     */
    OptionalDouble rdmaShare() {
        return variant == ShuffleVariant.BOLTSHUFFLE ? metrics.rdmaShare() : OptionalDouble.empty();
    }
}
