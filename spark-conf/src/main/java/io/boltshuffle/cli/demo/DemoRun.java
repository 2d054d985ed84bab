package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.job.ExecutorMetrics;
import io.boltshuffle.cli.job.ShuffleVariant;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * One run of a job.
 *
 * @param agentCpu CPU time of all node agents meanwhile, including the cost of the virtual cables
 * @param validation the result of the check of its output
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
     * Returns the part of the bytes from other hosts that came by RDMA; empty for stock Spark and if nothing was
     * counted.
     */
    OptionalDouble rdmaShare() {
        return variant == ShuffleVariant.BOLTSHUFFLE ? metrics.rdmaShare() : OptionalDouble.empty();
    }
}
