package io.boltshuffle.cli.job;

import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.conf.Options;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** A cluster whose hosts are joined by virtual cables, on which programs run with either shuffle. */
public record JoinedCluster(ClusterRun run, VirtualCluster spark, Cabling cabling, NodeAgents agents) {
    /** Settings that are lists, with what stands between two entries. */
    private static final Map<String, String> LISTS = Map.of(
            "spark.plugins",
            ",",
            "spark.jars",
            ",",
            "spark.driver.extraClassPath",
            File.pathSeparator,
            "spark.executor.extraClassPath",
            File.pathSeparator);

    /**
     * Starts a cluster with as much memory for each agent as users get, because blocks that a task reads ahead wait in
     * it.
     *
     * @param network that has the hosts
     * @param settings of the plugin, in place of those that agents get by default
     */
    public static JoinedCluster startAsUsersDo(
            ClusterRun run, ClusterSpec spec, HostNetwork network, Cabling cabling, Map<String, String> settings) {
        VirtualCluster spark = run.start(spec, network);
        Map<String, String> all = new HashMap<>();
        all.put(Options.AGENT_SLAB.key(), Long.toString(Options.AGENT_SLAB.defaultValue()));
        all.putAll(settings);
        return new JoinedCluster(run, spark, cabling, run.join(spark, cabling, all, Map.of()));
    }

    /**
     * Runs a program to its end.
     *
     * @return the part of the bytes from other hosts that came by RDMA; empty for stock Spark
     */
    public OptionalDouble runProgram(ShuffleVariant variant, JobSpec program) {
        Path metrics = run.directory().directory("metrics/" + program.name());
        Map<String, String> settings = new HashMap<>(settings(variant));
        add(ExecutorMetrics.settings(metrics), settings);
        add(program.settings(), settings);
        JobRunner.of(run).runOn(spark, new JobSpec(program.name(), program.mainClass(), program.arguments(), settings));
        return variant == ShuffleVariant.BOLTSHUFFLE
                ? ExecutorMetrics.read(metrics).rdmaShare()
                : OptionalDouble.empty();
    }

    /** Adds settings in place of others, or to them where Spark takes a list. */
    private static void add(Map<String, String> more, Map<String, String> settings) {
        more.forEach((key, value) -> settings.merge(key, value, (others, added) -> {
            String separator = LISTS.getOrDefault(key, "");
            return separator.isEmpty() ? added : others + separator + added;
        }));
    }

    private Map<String, String> settings(ShuffleVariant variant) {
        Map<String, String> settings = new HashMap<>(
                variant.settings(run.runtime().line(), run.installation().pluginJar()));
        if (variant == ShuffleVariant.BOLTSHUFFLE) {
            settings.putAll(agents.settings());
        }
        return settings;
    }
}
