package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.cluster.CableKind;
import java.util.List;
import java.util.Map;

/**
 * Says how to reach a cluster that is ready. The cluster's directory contains it.
 *
 * @param masterUrl {@code spark://127.0.0.1:...}
 * @param uiUrl the master's page, which lists the applications
 * @param spark the release it runs
 * @param sparkHome where that Spark is
 * @param executorMemory as Spark writes it
 * @param agentRoot where executors meet the agents; empty without cables
 * @param settings what an application needs to run here with the plugin, except the plugin's own jar and class names
 */
public record ClusterDescription(
        String masterUrl,
        String uiUrl,
        String spark,
        String sparkHome,
        List<String> hosts,
        int coresPerHost,
        String executorMemory,
        CableKind cables,
        String agentRoot,
        Map<String, String> settings) {}
