package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.ExecutorMetrics;
import io.boltshuffle.cli.cluster.ShuffleVariant;

/**
 * One job as it ran once.
 *
 * @param validation what the check of its output said
 */
record DemoRun(
        String workload,
        ShuffleVariant variant,
        long wallMillis,
        ExecutorMetrics metrics,
        boolean valid,
        String validation) {}
