package io.boltshuffle.integration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.agent.AgentMain;
import io.boltshuffle.cli.cluster.FullMesh;
import io.boltshuffle.cli.cluster.VirtualCables;
import io.boltshuffle.client.AgentEnvironment;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.client.AgentJvm;
import io.boltshuffle.os.FreePort;
import io.boltshuffle.os.Signal;
import io.boltshuffle.wire.MeetingPlace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

/**
 * Node agents of two hosts as processes of their own, run as users' are, joined by virtual cables, or by the lab's.
 *
 * <p><b>Ownership:</b> {@link #close} ends the processes that are left, and waits for them.
 */
final class AgentPair implements AutoCloseable {

    static final String READER = "127.0.0.2";
    static final String SERVER = "127.0.0.3";

    /** The two hosts of the lab's guest. */
    static final List<String> SOFT_ROCE_HOSTS = List.of("10.77.0.1", "10.77.0.2");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EMULATOR =
            Path.of("..", "rdma-native", "target", "emulator", "libvtb.so").toAbsolutePath();

    private final Path directory;
    private final List<String> hosts;
    private final Map<String, String> settings = new HashMap<>();
    private final Map<String, Map<String, String>> ownSettings = new HashMap<>();
    private final Map<String, Map<String, String>> environments = new HashMap<>();
    private final Map<String, String> otherBuilds = new HashMap<>();
    private final Map<String, Process> agents = new HashMap<>();
    private @Nullable VirtualCables cables;

    /**
     * @param directory for everything that agents write; short, because it holds sockets
     * @param cables how many join the two hosts
     * @param profile lines in front of the virtual Thunderbolt's topology, such as {@code profile linux}
     */
    AgentPair(Path directory, int cables, String... profile) throws IOException {
        this(directory, List.of(READER, SERVER), cables, profile);
    }

    /** @param hosts two addresses of this machine */
    AgentPair(Path directory, List<String> hosts, int cables, String... profile) throws IOException {
        this(directory, hosts);
        FullMesh mesh = new FullMesh(hosts, cables);
        List<String> lines = new ArrayList<>(List.of(profile));
        lines.addAll(mesh.statements());
        Path topology = Files.write(topologyFile(), lines);
        this.cables = new VirtualCables(EMULATOR, topology, mesh.cables());
        useHostfile(mesh.hostfile());
        settings.put("spark.boltshuffle.agent.verbsLibrary", EMULATOR.toString());
        for (int host = 0; host < hosts.size(); host++) {
            environments.put(
                    hosts.get(host),
                    Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", mesh.name(host)));
        }
    }

    private AgentPair(Path directory, List<String> hosts) throws IOException {
        this.directory = directory;
        this.hosts = hosts;
        settings.put("spark.boltshuffle.agent.directory", directory.resolve("r").toString());
        settings.put("spark.boltshuffle.agent.port", Integer.toString(FreePort.of(hosts.get(0))));
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        settings.put("spark.boltshuffle.agent.slab", "256m");
    }

    /** On the two Soft-RoCE hosts of the lab's guest, by the operating system's own verbs library. */
    static AgentPair onSoftRoce(Path directory) throws IOException {
        AgentPair agents = new AgentPair(directory, SOFT_ROCE_HOSTS);
        agents.useHostfile(
                FullMesh.hostfile(SOFT_ROCE_HOSTS, (host, other) -> List.of(host == 0 ? "rdma_en5" : "rdma_en6")));
        // The guest has little memory and one slow processor, for which others may have no time, either.
        return agents.with("spark.boltshuffle.agent.slab", "64m")
                .with("spark.boltshuffle.agent.heartbeatTimeout", "30s")
                .with("spark.boltshuffle.agent.connectTimeout", "4min")
                .with("spark.boltshuffle.fetch.timeout", "2min");
    }

    private void useHostfile(String hostfile) throws IOException {
        Path file = Files.writeString(directory.resolve("hosts.json"), hostfile);
        settings.put("spark.boltshuffle.agent.topologyFile", file.toString());
    }

    /** What the virtual Thunderbolt reads when an agent opens a device. */
    Path topologyFile() {
        return directory.resolve("topology");
    }

    /** Another setting, for agents and applications started from now on. */
    AgentPair with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    AgentPair startBoth() throws IOException {
        for (String host : hosts) {
            start(host);
        }
        return this;
    }

    /** @param own settings of this host's agent only, now and when it is started again */
    void start(String host, Map<String, String> own) throws IOException {
        ownSettings.computeIfAbsent(host, name -> new HashMap<>()).putAll(own);
        start(host);
    }

    /** Ends an agent in good order and starts it with other settings. */
    void restart(String host, Map<String, String> own) throws IOException, InterruptedException {
        signal(host, Signal.TERM);
        awaitEnd(host);
        start(host, own);
    }

    /** From its next start on, a host's agent is of another build. */
    void install(String host, Path otherBuild) {
        otherBuilds.put(host, otherBuild + File.pathSeparator);
    }

    /** From its next start on, a host's agent is of this build again. */
    void installOwn(String host) {
        otherBuilds.remove(host);
    }

    /** What starts the agent of a host. */
    List<String> command(String host) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(ownSettings.getOrDefault(host, Map.of()));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(AgentJvm.OPTIONS);
        command.addAll(List.of(
                "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
                "-XX:ErrorFile=" + directory.resolve("crash-%p.log"),
                "-cp",
                otherBuilds.getOrDefault(host, "") + AgentOfUsers.classPath(),
                AgentMain.class.getName(),
                "--host",
                host,
                "--root",
                root().toString()));
        all.forEach((key, value) -> {
            command.add("--conf");
            command.add(key + "=" + value);
        });
        return command;
    }

    void start(String host) throws IOException {
        ProcessBuilder builder = AgentJvm.process(command(host))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("agent-" + host + ".log").toFile()));
        AgentEnvironment.keepOnlyNeeded(builder.environment());
        builder.environment().putAll(environments.getOrDefault(host, Map.of()));
        agents.put(host, builder.start());
    }

    /** Where the agents meet their executors. */
    Path root() {
        return directory.resolve("r");
    }

    /** The control port, where no other was chosen for one host. */
    int port() {
        return Integer.parseInt(settings.getOrDefault("spark.boltshuffle.agent.port", ""));
    }

    /** What both agents served so far; -1 while one does not answer. */
    long servedBytes() {
        try {
            long bytes = 0;
            for (String host : hosts) {
                bytes += status(host).at("/counters/servedBytes").asLong();
            }
            return bytes;
        } catch (IOException e) {
            return -1;
        }
    }

    /** What agents run with, those that have settings of their own aside. */
    Map<String, String> settings() {
        return Map.copyOf(settings);
    }

    /** What an application needs to find the agents. */
    SparkConf applyTo(SparkConf conf) {
        settings.forEach(conf::set);
        return conf;
    }

    /** Sends the agent a signal, such as KILL or STOP. */
    void signal(String host, Signal signal) throws IOException {
        signal.send(pid(host));
    }

    /** For commands that another process is to run. */
    long pid(String host) {
        return agent(host).pid();
    }

    /** The virtual cables that join the hosts; the lab's hosts have none. */
    VirtualCables cables() {
        return Objects.requireNonNull(cables, "no virtual cables");
    }

    /** Those of the agents that were started last which have not ended. */
    List<Long> processes() {
        return agents.values().stream()
                .filter(Process::isAlive)
                .map(Process::pid)
                .toList();
    }

    /** Runs a command of the system. */
    static void run(List<String> command) throws IOException, InterruptedException {
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }

    /** How many of the agents that were started last have not ended. */
    long running() {
        return agents.values().stream().filter(Process::isAlive).count();
    }

    /** Whether the agent that was started last on a host has not ended. */
    boolean runs(String host) {
        return agent(host).isAlive();
    }

    /** Waits until an agent that was asked to end has ended. */
    void awaitEnd(String host) throws InterruptedException {
        if (!agent(host).waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the agent of " + host + " does not end");
        }
    }

    /** Starts an agent again if it is gone, and wakes it if it was stopped. */
    void heal(String host) throws IOException, InterruptedException {
        Process agent = agent(host);
        if (agent.isAlive()) {
            signal(host, Signal.CONT);
        } else {
            start(host);
        }
    }

    private Process agent(String host) {
        Process agent = agents.get(host);
        if (agent == null) {
            throw new IllegalStateException("no agent was started on " + host);
        }
        return agent;
    }

    JsonNode status(String host) throws IOException {
        MeetingPlace place = MeetingPlace.open(directory.resolve("r"), host);
        return JSON.readTree(AgentInquiry.status(place, Duration.ofSeconds(10)));
    }

    /** What the agent wrote, for the message of a failed test. */
    String log(String host) throws IOException {
        return Files.readString(directory.resolve("agent-" + host + ".log"));
    }

    @Override
    public void close() {
        agents.values().forEach(Process::destroy);
        agents.values().forEach(AgentPair::awaitExit);
    }

    private static void awaitExit(Process agent) {
        agent.onExit()
                .orTimeout(30, TimeUnit.SECONDS)
                .exceptionally(late -> agent.destroyForcibly())
                .join();
    }
}
