package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.os.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One node agent on each host of a virtual cluster, joined by a virtual cable between any two.
 *
 * <p>This class starts them instead of the executors, so that the teardown owns them and nothing outlives the run.
 */
public final class NodeAgents {
    /** All virtual hosts share the memory of one machine, and at most 48 MiB of blocks are on the way to a task. */
    public static final long SLAB_BYTES = 256L << 20;

    private final Map<String, String> settings;
    private final List<NodeAgent> agents;
    private final VirtualCables cables;
    private final Cabling cabling;

    private NodeAgents(Map<String, String> settings, List<NodeAgent> agents, VirtualCables cables, Cabling cabling) {
        this.settings = settings;
        this.agents = agents;
        this.cables = cables;
        this.cabling = cabling;
    }

    /**
     * The parts that agents run with.
     *
     * @param pluginJar has the agent's classes
     * @param emulator library of the virtual Thunderbolt
     * @param settings in place of those that agents get here
     * @param environment besides what every process has
     */
    public record Parts(
            SparkRuntime runtime,
            Path pluginJar,
            Path emulator,
            Map<String, String> settings,
            Map<String, String> environment) {
        public Parts(SparkRuntime runtime, Path pluginJar, Path emulator) {
            this(runtime, pluginJar, emulator, Map.of(), Map.of());
        }
    }

    /** Starts the agents. Returns when every agent listens. */
    public static NodeAgents start(
            Parts parts, CableKind kind, List<String> hosts, RunDirectory run, Teardown teardown) {
        return start(parts, new Cabling(kind, 1), hosts, run, teardown);
    }

    /** Starts the agents. Returns when every agent listens. */
    static NodeAgents start(Parts parts, Cabling cabling, List<String> hosts, RunDirectory run, Teardown teardown) {
        FullMesh mesh = new FullMesh(hosts, cabling.cablesPerPair());
        Path fabric = run.directory("fabric-" + hosts.size() + "-" + cabling.label());
        Path topology = fabric.resolve("topology");
        Path hostfile = fabric.resolve("hosts.json");
        try {
            List<String> lines = new ArrayList<>(cabling.kind().topology());
            lines.addAll(mesh.statements());
            Files.write(topology, lines);
            Files.writeString(hostfile, mesh.hostfile());
            Map<String, String> settings = settings(parts, hostfile, sockets(run, teardown));
            settings.putAll(parts.settings());
            List<NodeAgent> agents = new ArrayList<>();
            for (int host = 0; host < hosts.size(); host++) {
                ProcessBuilder command = command(parts, hosts.get(host), settings, run);
                command.environment().putAll(parts.environment());
                command.environment()
                        .putAll(Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", mesh.name(host)));
                String log = "agent-" + cabling.label() + "-" + hosts.get(host);
                agents.add(new NodeAgent(hosts.get(host), command, log, run, teardown));
            }
            agents.forEach(NodeAgent::awaitReady);
            return new NodeAgents(
                    settings, agents, new VirtualCables(parts.emulator(), topology, mesh.cables()), cabling);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    public Cabling cabling() {
        return cabling;
    }

    public VirtualCables cables() {
        return cables;
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

    private static Map<String, String> settings(Parts parts, Path hostfile, Path sockets) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        settings.put(
                "spark.boltshuffle.agent.directory", sockets.toAbsolutePath().toString());
        settings.put("spark.boltshuffle.agent.port", Integer.toString(FreePort.ofLoopback()));
        settings.put("spark.boltshuffle.agent.slab", (SLAB_BYTES >> 20) + "m");
        settings.put(
                "spark.boltshuffle.agent.topologyFile",
                hostfile.toAbsolutePath().toString());
        settings.put(
                "spark.boltshuffle.agent.verbsLibrary",
                parts.emulator().toAbsolutePath().toString());
        return settings;
    }

    private static ProcessBuilder command(Parts parts, String host, Map<String, String> settings, RunDirectory run) {
        List<String> arguments = new ArrayList<>(
                List.of("--host", host, "--root", settings.getOrDefault("spark.boltshuffle.agent.directory", "")));
        settings.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        return new AgentProgram(parts.runtime(), parts.pluginJar())
                .prepare(List.of("-Djava.io.tmpdir=" + run.directory("tmp")), arguments);
    }
}
