package io.boltshuffle.integration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.FullMesh;
import io.boltshuffle.cli.cluster.NodeAgent;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCables;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.os.Signal;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.wire.MeetingPlace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkConf;

/**
 * The {@link NodeAgents} of two hosts, made of this build's classes, and named by their hosts.
 *
 * <p><b>Ownership:</b> {@link #close} ends the processes that are left, and waits for them.
 */
final class AgentPair implements AutoCloseable {

    static final String READER = TwoHosts.HOSTS.get(0);
    static final String SERVER = TwoHosts.HOSTS.get(1);

    /** The two hosts of the lab's guest. */
    static final List<String> SOFT_ROCE_HOSTS = List.of("10.77.0.1", "10.77.0.2");

    private static final int DEADLINE_SCALE = Integer.getInteger("bolt.link.deadlineScale", 1);

    /** Whether the lab's guest has emulated processors, on which everything takes many times as long. */
    static final boolean EMULATED = DEADLINE_SCALE > 1;

    private static final Path EMULATOR =
            Path.of("..", "rdma-native", "target", "emulator", "libvtb.so").toAbsolutePath();

    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final Teardown teardown = Teardown.hooked();
    private final AgentProgram program = new AgentProgram(AgentOfUsers.classPath());
    private final NodeAgents agents;
    private final Set<NodeAgent> started = new HashSet<>();
    private final Map<String, String> settings = new HashMap<>();
    private final Map<String, Map<String, String>> ownSettings = new HashMap<>();

    /**
     * Joins the two hosts by virtual Thunderbolt.
     *
     * @param directory for everything that agents write
     * @param cables how many join the two hosts
     */
    AgentPair(Path directory, int cables) throws IOException {
        this(directory, cables, CableKind.SEND);
    }

    AgentPair(Path directory, int cables, CableKind kind) throws IOException {
        this(directory, TwoHosts.HOSTS, cables, kind);
    }

    /** @param hosts two addresses of this machine */
    AgentPair(Path directory, List<String> hosts, int cables, CableKind kind) throws IOException {
        this(directory, hosts, ClusterFabric.virtual(EMULATOR, new Cabling(kind, cables)), Map.of());
    }

    /** @param environment of the agents, besides what every agent has */
    AgentPair(Path directory, Map<String, String> environment) throws IOException {
        this(directory, TwoHosts.HOSTS, ClusterFabric.virtual(EMULATOR, new Cabling(CableKind.SEND, 1)), environment);
    }

    /** One device of the operating system on each of two hosts, used by its own verbs library. */
    private static final class SoftRoceDevices implements ClusterFabric {
        @Override
        public String label() {
            return "system";
        }

        @Override
        public Joints join(List<String> hosts, Path directory) {
            String hostfile = FullMesh.hostfile(hosts, (host, other) -> List.of(host == 0 ? "rdma_en5" : "rdma_en6"));
            return new Joints(hostfile, Map.of(), List.of(Map.of(), Map.of()), null);
        }
    }

    private AgentPair(Path directory, List<String> hosts, ClusterFabric fabric, Map<String, String> environment)
            throws IOException {
        agents = NodeAgents.prepare(
                new NodeAgents.Parts(program, Map.of(), environment),
                fabric,
                hosts,
                new RunDirectory(directory, false),
                teardown);
    }

    /**
     * Makes the pair of the two Soft-RoCE hosts of the lab's guest, which use the operating system's own verbs library.
     */
    static AgentPair onSoftRoce(Path directory) throws IOException {
        // The guest has little memory and one slow processor, for which others may have no time, either.
        return new AgentPair(directory, SOFT_ROCE_HOSTS, new SoftRoceDevices(), Map.of())
                .with("spark.boltshuffle.agent.slab", "64m")
                .with("spark.boltshuffle.agent.deadlineScale", Integer.toString(DEADLINE_SCALE))
                .with("spark.boltshuffle.agent.heartbeatTimeout", EMULATED ? "5min" : "30s")
                .with("spark.boltshuffle.agent.connectTimeout", EMULATED ? "5min" : "4min")
                .with("spark.boltshuffle.fetch.timeout", EMULATED ? "10min" : "2min");
    }

    /** Another setting, for agents and applications started from now on. */
    AgentPair with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Starts both agents. The test is skipped where their slabs do not fit into shared memory. */
    AgentPair startBoth() {
        Map<String, String> all = new HashMap<>(agents.settings());
        all.putAll(settings);
        Settings parsed = Settings.parse(all);
        long slabBytes = parsed.get(Options.AGENT_SLAB);
        RoomForSlabs.require(agents.all().size() * (slabBytes + Slab.PAGE_BYTES));
        agents.all().forEach(this::configure);
        agents.start();
        started.addAll(agents.all());
        return this;
    }

    /** @param own settings of this host's agent only, now and when it is started again */
    void start(String host, Map<String, String> own) {
        ownSettings.computeIfAbsent(host, name -> new HashMap<>()).putAll(own);
        start(host);
    }

    void start(String host) {
        NodeAgent agent = agent(host);
        configure(agent);
        agent.start();
        started.add(agent);
    }

    private NodeAgent agent(String host) {
        return agents.all().stream()
                .filter(agent -> agent.host().equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no agent has the host " + host));
    }

    private void configure(NodeAgent agent) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(ownSettings.getOrDefault(agent.host(), Map.of()));
        agent.configure(all);
    }

    /** Ends an agent in good order and starts it with other settings. */
    void restart(String host, Map<String, String> own) throws IOException {
        signal(host, Signal.TERM);
        awaitEnd(host);
        start(host, own);
    }

    /** Replaces classes of a host's agent, from its next start on, by those of the same name in another build. */
    void install(String host, Path otherBuild) {
        agent(host).install(new AgentProgram(otherBuild + File.pathSeparator + program.classPath()));
    }

    /** Makes a host's agent one of this build again, from its next start on. */
    void installOwn(String host) {
        agent(host).install(program);
    }

    /** Returns the command that starts the agent of a host. */
    List<String> command(String host) {
        return agent(host).command();
    }

    /** Returns what the virtual Thunderbolt reads when an agent opens a device. */
    Path topologyFile() {
        return cables().topology();
    }

    /** Returns the directory where the agents meet their executors. */
    Path root() {
        return agents.directory();
    }

    /** The control port, where no other was chosen for one host. */
    int port() {
        return Integer.parseInt(settings().getOrDefault("spark.boltshuffle.agent.port", ""));
    }

    /** Returns how many bytes both agents served so far; -1 while one does not answer. */
    long servedBytes() {
        try {
            long bytes = 0;
            for (NodeAgent agent : agents.all()) {
                bytes += status(agent.host()).at("/counters/servedBytes").asLong();
            }
            return bytes;
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns the settings that agents run with, apart from those of one agent only. */
    Map<String, String> settings() {
        Map<String, String> all = new HashMap<>(agents.settings());
        all.putAll(settings);
        return all;
    }

    /** Adds what an application needs to find the agents. */
    SparkConf applyTo(SparkConf conf) {
        settings().forEach(conf::set);
        return conf;
    }

    /** Sends the agent a signal, such as KILL or STOP. */
    void signal(String host, Signal signal) throws IOException {
        signal.send(pid(host));
    }

    /** Returns the process id, for commands that another process is to run. */
    long pid(String host) {
        return agent(host).processId();
    }

    /** The virtual cables that join the hosts; the lab's hosts have none. */
    VirtualCables cables() {
        return agents.cables();
    }

    /** Those of the agents that were started last which have not ended. */
    List<Long> processes() {
        return started.stream()
                .filter(NodeAgent::isAlive)
                .map(NodeAgent::processId)
                .toList();
    }

    /** Runs a command of the system. */
    static void run(List<String> command) throws IOException, InterruptedException {
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }

    /** Returns how many of the agents that were started last have not ended. */
    long running() {
        return processes().size();
    }

    /** Returns whether the agent that was started last on a host has not ended. */
    boolean runs(String host) {
        return agent(host).isAlive();
    }

    /** Waits until an agent that was asked to end has ended. */
    void awaitEnd(String host) {
        agent(host).awaitEnd();
    }

    /** Starts an agent again if it is gone, and wakes it if it was stopped. */
    void heal(String host) throws IOException {
        if (runs(host)) {
            signal(host, Signal.CONT);
        } else {
            start(host);
        }
    }

    JsonNode status(String host) throws IOException {
        return new ObjectMapper().readTree(AgentInquiry.status(MeetingPlace.open(root(), host), ANSWER));
    }

    /** Returns what the agent that was started last wrote, for the message of a failed test. */
    String log(String host) {
        return agent(host).logged();
    }

    @Override
    public void close() {
        teardown.close();
    }
}
