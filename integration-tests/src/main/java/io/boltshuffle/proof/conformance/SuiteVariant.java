package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.proof.conformance.inspark.SuiteAgent;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ways to run a suite. */
public enum SuiteVariant {
    /** Spark's own shuffle. */
    STOCK,
    /** The plugin's shuffle, with no agent to be found. */
    TCP,
    /** The plugin's shuffle, with an agent on each host and a virtual cable between them. */
    RDMA;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SuiteVariant of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    /**
     * Returns the argument of the Java agent in a suite's JVMs.
     *
     * @param manager of what is not stock
     */
    String agentArgument(Suite suite, ManagerChoice manager) {
        String ours = manager == ManagerChoice.OWN ? SuiteAgent.OURS : SuiteAgent.PLUGIN_ALONE;
        return Stream.of(suite.twoHosts() ? SuiteAgent.TWO_HOSTS : "", this == STOCK ? "" : ours)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(","));
    }
}
