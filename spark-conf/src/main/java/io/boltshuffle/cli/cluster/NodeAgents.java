package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One node agent on each host of a virtual cluster, joined by a virtual cable between any two.
 *
 * <p>They are started here and not by the executors, so that the teardown owns them: nothing outlives the run.
 */
public final class NodeAgents {
    /** All hosts share the memory of one, and a task has at most 48 MiB of blocks on the way to it. */
    private static final String SLAB = "256m";

    private static final Pattern READY = Pattern.compile("(agent of \\S+ is ready)");

    private final Map<String, String> settings;
    private final List<Daemon> agents;

    private NodeAgents(Map<String, String> settings, List<Daemon> agents) {
        this.settings = settings;
        this.agents = agents;
    }

    /**
     * What agents run with.
     *
     * @param pluginJar has the agent's classes
     * @param emulator library of the virtual Thunderbolt
     */
    public record Parts(SparkRuntime runtime, Path pluginJar, Path emulator) {}

    /** Returns when every agent listens. */
    public static NodeAgents start(
            Parts parts, CableKind kind, List<String> hosts, RunDirectory run, Teardown teardown) {
        FullMesh mesh = new FullMesh(hosts);
        Path fabric = run.directory("fabric-" + kind.label());
        Path topology = fabric.resolve("topology");
        Path hostfile = fabric.resolve("hosts.json");
        try {
            List<String> lines = new ArrayList<>(kind.topology());
            lines.addAll(mesh.statements());
            Files.write(topology, lines);
            Files.writeString(hostfile, mesh.hostfile());
            Map<String, String> settings = settings(parts, hostfile, sockets(teardown));
            List<Daemon> agents = new ArrayList<>();
            for (int host = 0; host < hosts.size(); host++) {
                ProcessBuilder command = command(parts, hosts.get(host), settings, run);
                command.environment()
                        .putAll(Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", mesh.name(host)));
                agents.add(Daemon.start(
                        "the node agent of " + hosts.get(host),
                        command,
                        run.log("agent-" + kind.label() + "-" + hosts.get(host)),
                        teardown));
            }
            agents.forEach(agent -> agent.await(READY));
            return new NodeAgents(settings, agents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an application needs to find them. */
    public Map<String, String> settings() {
        return settings;
    }

    /** CPU time that the agents have used so far, that of the virtual cables included. */
    public Duration cpu() {
        return agents.stream().map(Daemon::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** In the order of the hosts. */
    public List<Long> processIds() {
        return agents.stream().map(Daemon::processId).toList();
    }

    /** A directory with a short name: the path of a Unix domain socket has room for about a hundred bytes. */
    private static Path sockets(Teardown teardown) throws IOException {
        Path directory = Files.createTempDirectory("bolt");
        teardown.push(() -> FileTrees.delete(directory));
        return directory;
    }

    private static Map<String, String> settings(Parts parts, Path hostfile, Path sockets) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        settings.put("spark.boltshuffle.agent.directory", sockets.toString());
        settings.put("spark.boltshuffle.agent.port", Integer.toString(freePort()));
        settings.put("spark.boltshuffle.agent.slab", SLAB);
        settings.put("spark.boltshuffle.agent.topologyFile", hostfile.toString());
        settings.put("spark.boltshuffle.agent.verbsLibrary", parts.emulator().toString());
        return settings;
    }

    private static ProcessBuilder command(Parts parts, String host, Map<String, String> settings, RunDirectory run) {
        List<String> arguments = new ArrayList<>(
                List.of("--host", host, "--root", settings.getOrDefault("spark.boltshuffle.agent.directory", "")));
        settings.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        return new AgentProgram(parts.runtime(), parts.pluginJar())
                .prepare(List.of("-Djava.io.tmpdir=" + run.directory("tmp")), arguments);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
