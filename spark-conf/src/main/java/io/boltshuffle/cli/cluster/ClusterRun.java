package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.util.Map;

/**
 * Holds the parts of a run on hosts of this machine, and starts it.
 *
 * <p><b>Ownership:</b> the teardown ends what is started here.
 *
 * @param emulator library of the virtual Thunderbolt
 */
public record ClusterRun(
        SparkRuntime runtime,
        Installation installation,
        Path emulator,
        RunDirectory directory,
        Console console,
        Teardown teardown) {

    /** Starts Spark on loopback addresses. */
    public VirtualCluster start(ClusterSpec spec) {
        return start(spec, LoopbackHosts.first(spec.hosts()));
    }

    /** Starts Spark on the hosts of a network, of which there are as many as {@code spec} says. */
    public VirtualCluster start(ClusterSpec spec, HostNetwork network) {
        console.line("starting Spark " + runtime.release() + " on " + spec.hosts() + " hosts");
        return VirtualCluster.start(runtime, spec, network, directory, teardown);
    }

    /**
     * Starts an agent on each host, and cables between any two.
     *
     * @param settings in place of those that agents get by default
     * @param environment of the agents, besides what every process has
     */
    public NodeAgents join(
            VirtualCluster cluster, Cabling cabling, Map<String, String> settings, Map<String, String> environment) {
        return NodeAgents.start(
                new NodeAgents.Parts(AgentProgram.of(runtime, installation.pluginJar()), settings, environment),
                ClusterFabric.virtual(emulator, cabling),
                cluster.network(),
                directory,
                teardown);
    }
}
