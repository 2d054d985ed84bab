package io.boltshuffle.agent;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.agent.peer.HostAddresses;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two hosts in one JVM: agents on two loopback addresses, joined by a {@link FakeFabric}, and their executors. */
public final class TwoAgents implements AutoCloseable {

    public static final String READER = "127.0.0.2";
    public static final String SERVER = "127.0.0.3";
    static final String APPLICATION = "app-1";
    static final Secret SECRET = Secret.of(new byte[] {1, 2, 3});

    /** The bytes that a slab takes besides its size. */
    private static final long SMALL_CHANGE = 1 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path temp;
    private final String server;
    private final Map<String, String> properties;
    private final FakeFabric fabric = new FakeFabric();
    private final ShuffleFiles files;
    private final List<AgentClient> clients = new ArrayList<>();
    private final Map<String, Agent> agents = new HashMap<>();

    public TwoAgents(Path temp, Map<String, String> extra) throws IOException {
        this(temp, SERVER, extra);
    }

    /** @param server the name of the host that is not {@link #READER} */
    TwoAgents(Path temp, String server, Map<String, String> extra) throws IOException {
        this.temp = temp;
        this.server = server;
        this.files = new ShuffleFiles(Files.createDirectories(temp.resolve("blockmgr")));
        this.properties = new HashMap<>(Map.of(
                "spark.boltshuffle.agent.port", Integer.toString(freePort()),
                "spark.boltshuffle.agent.autoStart", "false",
                "spark.boltshuffle.agent.slab", "64m",
                "spark.boltshuffle.agent.heartbeatInterval", "100ms",
                "spark.boltshuffle.agent.heartbeatTimeout", "2s",
                "spark.boltshuffle.agent.connectTimeout", "5s",
                "spark.boltshuffle.fetch.timeout", "5s",
                "spark.boltshuffle.fetch.window", "1m"));
        this.properties.putAll(extra);
    }

    FakeFabric fabric() {
        return fabric;
    }

    public ShuffleFiles files() {
        return files;
    }

    /** Returns the files of an application other than {@link #APPLICATION}. */
    ShuffleFiles files(String application) throws IOException {
        return new ShuffleFiles(Files.createDirectories(temp.resolve("blockmgr-" + application)));
    }

    int port() {
        return Integer.parseInt(properties.getOrDefault("spark.boltshuffle.agent.port", ""));
    }

    public void startAgents(int cables) throws IOException {
        startAgent(READER, cables, Map.of());
        startAgent(server, cables, Map.of());
    }

    void startAgent(String host, int cables, Map<String, String> extra) throws IOException {
        startAgent(host, cables, extra, HostAddresses.ofSystem());
    }

    /** @param addresses what this agent knows of names */
    void startAgent(String host, int cables, Map<String, String> extra, HostAddresses addresses) throws IOException {
        Map<String, String> own = new HashMap<>(properties);
        own.putAll(extra);
        AgentStart start = new AgentStart(host, temp.resolve("r"), Settings.parse(own), false);
        RoomForSlabs.require(start.settings().get(Options.AGENT_SLAB) + SMALL_CHANGE);
        agents.put(
                host,
                Agent.start(
                        start,
                        FakePorts.factory(fabric, host, host.equals(READER) ? server : READER, cables),
                        addresses));
    }

    void stopAgent(String host) {
        Agent agent = agents.remove(host);
        if (agent == null) {
            throw new IllegalStateException("no agent on " + host);
        }
        agent.stop("the test ends it");
        agent.awaitEnd();
    }

    /** An executor whose shuffle files are its application's {@link #files}, connected to its agent. */
    AgentClient executor(String host, String id) throws IOException {
        return executor(host, id, SECRET);
    }

    AgentClient executor(String host, String id, Secret secret) throws IOException {
        return executor(host, id, APPLICATION, secret);
    }

    AgentClient executor(String host, String id, String application, Secret secret) throws IOException {
        Registration registration = new Registration(
                application,
                id,
                List.of((application.equals(APPLICATION) ? files : files(application))
                        .localDir()
                        .toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                secret);
        AgentClient client = AgentClient.open(
                new ClientStart(host, temp.resolve("r"), Settings.parse(properties), registration, Map.of()));
        clients.add(client);
        return client;
    }

    /** Starts a program with an executor's start in its arguments, as {@link WritingExecutor} reads them. */
    Process program(Class<?> main, String host, String id) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                host,
                id,
                temp.resolve("r").toString(),
                files.localDir().toString()));
        properties.forEach((key, value) -> words.add(key + "=" + value));
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Connects the executor "1" on the serving host, and the executor "2" on {@link #READER}, which it returns. */
    public AgentClient connectedReader() throws IOException {
        AgentClient serving = executor(server, "1");
        AgentClient reader = executor(READER, "2");
        awaitConnected(serving);
        return awaitConnected(reader);
    }

    /** Waits until an executor is connected to its agent. Returns the executor. */
    static AgentClient awaitConnected(AgentClient executor) {
        await().atMost(Duration.ofSeconds(20)).until(() -> executor.readAheadBytes() > 0);
        return executor;
    }

    /** Returns how many executors have a session with a host's agent. */
    int sessions(String host) throws IOException {
        return status(host).at("/executors").size();
    }

    /** Returns how many bytes of a host's slab executors hold. */
    public long pinnedBytes(String host) throws IOException {
        return status(host).at("/memory/pinnedBytes").asLong();
    }

    /** Returns the place where executors of a host meet its agent. */
    MeetingPlace place(String host) throws IOException {
        return MeetingPlace.open(temp.resolve("r"), host);
    }

    JsonNode status(String host) throws IOException {
        return JSON.readTree(AgentInquiry.status(place(host), Duration.ofSeconds(5)));
    }

    @Override
    public void close() {
        clients.forEach(AgentClient::close);
        List.copyOf(agents.keySet()).forEach(this::stopAgent);
        fabric.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(READER))) {
            return socket.getLocalPort();
        }
    }
}
