package io.boltshuffle.cli.conformance;

import io.boltshuffle.conformance.SuiteAgent;
import java.util.Locale;

/** The ways a suite is run. Its workers have two hosts in all of them. */
public enum SuiteVariant {
    /** Spark's own shuffle. */
    STOCK,
    /** Ours, with no agent to be found. */
    TCP,
    /** Ours, with an agent on each host and a virtual cable between them. */
    RDMA;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String agentArgument() {
        return this == STOCK ? SuiteAgent.STOCK : SuiteAgent.OURS;
    }
}
