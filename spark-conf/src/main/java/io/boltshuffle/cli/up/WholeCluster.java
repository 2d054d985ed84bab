package io.boltshuffle.cli.up;

import io.boltshuffle.cli.localcluster.LocalCluster;
import java.util.Map;

/** Makes an application wait for all machines of a cluster. */
public final class WholeCluster {
    private WholeCluster() {}

    /**
     * Returns the settings; none if the master does not answer. Spark waits for a share of the cores that an
     * application may have at most, so a short job would be over before another machine's executor has come.
     */
    public static Map<String, String> settings(LocalCluster cluster) {
        return cluster.description()
                .flatMap(found -> MasterPage.at(found.uiUrl()))
                .map(page -> page.workers().stream()
                        .mapToInt(MasterPage.Worker::cores)
                        .sum())
                .filter(cores -> cores > 0)
                .map(cores -> Map.of(
                        "spark.cores.max", Integer.toString(cores),
                        "spark.scheduler.minRegisteredResourcesRatio", "1.0",
                        "spark.scheduler.maxRegisteredResourcesWaitingTime", "60s"))
                .orElse(Map.of());
    }
}
