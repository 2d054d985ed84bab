package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.AgentProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One node agent on each host of a cluster, joined by what a {@link ClusterFabric} says. They run as those that
 * executors start, with the same options and the same environment.
 *
 * <p>This class starts them instead of the executors, so that the teardown owns them and nothing outlives the run.
 */
public final class NodeAgents {
    /** All virtual hosts share the memory of one machine, and at most 48 MiB of blocks are on the way to a task. */
    public static final long SLAB_BYTES = 256L << 20;

    private final Map<String, String> settings;
    private final List<NodeAgent> agents;
    private final @Nullable VirtualCables cables;

    private NodeAgents(Map<String, String> settings, List<NodeAgent> agents, @Nullable VirtualCables cables) {
        this.settings = settings;
        this.agents = agents;
        this.cables = cables;
    }

    /**
     * The parts that agents run with.
     *
     * @param settings in place of those that agents get here
     * @param environment besides what every agent has
     */
    public record Parts(AgentProgram program, Map<String, String> settings, Map<String, String> environment) {}

    /** Starts the agents of all hosts of a network. Returns when every agent listens. */
    public static NodeAgents start(
            Parts parts, ClusterFabric fabric, HostNetwork network, RunDirectory run, Teardown teardown) {
        NodeAgents agents = prepare(parts, fabric, network, run, teardown);
        agents.start();
        return agents;
    }

    /** Writes what the agents of hosts that are addresses of this machine need. The caller starts them, each or all. */
    public static NodeAgents prepare(
            Parts parts, ClusterFabric fabric, List<String> hosts, RunDirectory run, Teardown teardown) {
        return prepare(parts, fabric, new LoopbackHosts(hosts), run, teardown);
    }

    private static NodeAgents prepare(
            Parts parts, ClusterFabric fabric, HostNetwork network, RunDirectory run, Teardown teardown) {
        List<String> hosts = network.hosts();
        Path directory = ClusterFabric.directory(run, hosts, fabric.label());
        Path hostfile = directory.resolve("hosts.json");
        try {
            ClusterFabric.Joints joints = fabric.join(hosts, directory);
            Files.writeString(hostfile, joints.hostfile());
            Map<String, String> settings = settings(network.freePort(), hostfile, sockets(run, teardown));
            settings.putAll(joints.settings());
            settings.putAll(parts.settings());
            List<NodeAgent> agents = new ArrayList<>();
            for (int host = 0; host < hosts.size(); host++) {
                Map<String, String> environment = new LinkedHashMap<>(parts.environment());
                environment.putAll(joints.environments().get(host));
                String log = "agent-" + fabric.label() + "-" + hosts.get(host);
                NodeAgent.Recipe recipe = new NodeAgent.Recipe(network, hosts.get(host), settings, environment);
                agents.add(new NodeAgent(recipe, parts.program(), log, run, teardown));
            }
            return new NodeAgents(settings, agents, joints.cables());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts all agents. Returns when every agent listens. */
    public void start() {
        agents.forEach(NodeAgent::launch);
        agents.forEach(NodeAgent::awaitReady);
    }

    /** Returns the settings that an application needs to find the agents. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Returns the CPU time that the agents have used so far, including that of the virtual cables. */
    public Duration cpu() {
        return agents.stream().map(NodeAgent::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns the process ids in the order of the hosts. */
    public List<Long> processIds() {
        return agents.stream().map(NodeAgent::processId).toList();
    }

    /** Returns the agents in the order of the hosts. */
    public List<NodeAgent> all() {
        return agents;
    }

    /** Returns the virtual cables that join the hosts. Devices of the system have none. */
    public VirtualCables cables() {
        return Objects.requireNonNull(cables, "no virtual cables");
    }

    /** Returns the directory where agents and executors of all hosts meet. */
    public Path directory() {
        return Path.of(settings.getOrDefault("spark.boltshuffle.agent.directory", ""));
    }

    /**
     * Returns a directory with a short name, because the path of a Unix domain socket has room for about a hundred
     * bytes.
     */
    private static Path sockets(RunDirectory run, Teardown teardown) throws IOException {
        Path sockets = teardown.open(() -> Files.createTempDirectory("bolt"), FileTrees::delete);
        run.recordSockets(sockets);
        return sockets;
    }

    private static Map<String, String> settings(int port, Path hostfile, Path sockets) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        settings.put(
                "spark.boltshuffle.agent.directory", sockets.toAbsolutePath().toString());
        settings.put("spark.boltshuffle.agent.port", Integer.toString(port));
        settings.put("spark.boltshuffle.agent.slab", (SLAB_BYTES >> 20) + "m");
        settings.put(
                "spark.boltshuffle.agent.topologyFile",
                hostfile.toAbsolutePath().toString());
        return settings;
    }
}
