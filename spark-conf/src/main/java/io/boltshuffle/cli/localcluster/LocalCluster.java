package io.boltshuffle.cli.localcluster;

import io.boltshuffle.agent.SlabName;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.base.TextOutput;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.FullMesh;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCables;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one lasting cluster of this user, as the user's cache describes it: none, the remains of one, or one that runs.
 */
public final class LocalCluster {
    private static final Duration SPARK_GRACE = Duration.ofSeconds(10);
    /** This is longer than an agent gives its own links to end. */
    private static final Duration AGENT_GRACE = Duration.ofSeconds(30);

    private static final String AGENT = "agent-";
    private static final String CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";
    private static final String CONNECT_JAR = "spark-connect_";
    /** The title of the command that starts the cluster. */
    public static final String STARTER = "starter";
    /** The title of the process that tells the network of the cluster, which works without it. */
    public static final String ANNOUNCER = "announcer";

    private final RunDirectory run;
    private final Verbs verbs;

    /**
     * The verbs that a user has for it.
     *
     * @param all that start or end it
     * @param again how to run it with the Spark that {@code %s} stands for
     */
    private record Verbs(String all, String again) {}

    private LocalCluster(Path root, Verbs verbs) {
        this.run = new RunDirectory(root, true);
        this.verbs = verbs;
    }

    /** Returns the cluster of virtual hosts. */
    public static LocalCluster of(UserCache cache) {
        return new LocalCluster(
                cache.root().resolve("cluster"),
                new Verbs("bolt cluster start or stop", "'bolt cluster stop' and 'bolt cluster start --spark %s'"));
    }

    /** Returns the cluster of several machines that this one started or joined. */
    public static LocalCluster ofMachines(UserCache cache) {
        return new LocalCluster(
                cache.root().resolve("up").resolve("cluster"),
                new Verbs("bolt up, down, join or leave", "'bolt down' and 'bolt up --spark %s' on its first machine"));
    }

    /** Takes the lock for starting or stopping a cluster. Closing the channel releases the lock. */
    public FileChannel lock() {
        Path file = root().resolveSibling("cluster.lock");
        try {
            Files.createDirectories(root().toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw BoltException.failed("another " + verbs.all() + " is at work: wait until it is done");
            }
            return channel;
        } catch (IOException e) {
            throw BoltException.environment(
                    "cannot write " + file + " (" + e + ")", "set BOLT_CACHE to a directory you may write to");
        }
    }

    public Path root() {
        return run.root();
    }

    public boolean exists() {
        return Files.isDirectory(root());
    }

    /** Returns all processes that were started, even those that have ended, except the command that started them. */
    public List<ProcessRecord> processes() {
        return run.processes().stream()
                .filter(process -> !process.title().equals(STARTER))
                .toList();
    }

    /** Returns how to reach the cluster; present from when it is ready until it is stopped. */
    public Optional<ClusterDescription> description() {
        Path file = descriptionFile();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(Files.readString(file), ClusterDescription.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void describe(ClusterDescription description) {
        TextOutput.write(descriptionFile(), Json.write(description));
    }

    private Path descriptionFile() {
        return root().resolve("cluster.json");
    }

    /** Keeps settings that belong into no command line, because every user of the machine can read those. */
    public void keepSecret(Map<String, String> settings) {
        PrivateFiles.write(secretFile(), Json.write(settings));
    }

    /** Returns the settings that belong into private files only; none for virtual hosts, which are open. */
    public Map<String, String> secretSettings() {
        if (!Files.exists(secretFile())) {
            return Map.of();
        }
        try {
            return Json.read(Files.readString(secretFile()), SecretSettings.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the type that a JSON object is read as. */
    private static final class SecretSettings extends LinkedHashMap<String, String> {
        private static final long serialVersionUID = 1;
    }

    private Path secretFile() {
        return root().resolve("secret.json");
    }

    /** Returns a directory with {@code spark-defaults.conf}, for programs that {@code bolt} does not start. */
    public Path clientConfiguration() {
        return run.directory("client");
    }

    /** Returns what an application needs besides the plugin, if {@code masterUrl} is this cluster's and it runs. */
    public Map<String, String> settingsFor(@Nullable String masterUrl) {
        return description()
                .filter(cluster -> cluster.masterUrl().equals(masterUrl))
                .filter(cluster -> processes().stream().anyMatch(ProcessRecord::lives))
                .map(ClusterDescription::settings)
                .orElse(Map.of());
    }

    /** Fails if {@code masterUrl} is this cluster's, it runs, and its release is not {@code spark}. */
    public void requireRelease(@Nullable String masterUrl, String spark) {
        if (!settingsFor(masterUrl).isEmpty()) {
            String runs = description().orElseThrow().spark();
            if (!runs.equals(spark)) {
                throw BoltException.environment(
                        "the cluster at " + masterUrl + " runs Spark " + runs + ", and this is Spark " + spark,
                        "take the cluster's (--spark " + runs + "; for Python: pip install pyspark==" + runs + "), or "
                                + String.format(verbs.again(), spark));
            }
        }
    }

    /** Fails if a server of Spark Connect is to run on this cluster, whose executors would lack classes of it. */
    public void requireConnect(@Nullable String masterUrl, List<String> arguments) {
        if (!arguments.contains(CONNECT_SERVER) || settingsFor(masterUrl).isEmpty()) {
            return;
        }
        Path home = Path.of(description().orElseThrow().sparkHome());
        try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
            if (jars.noneMatch(jar -> jar.getFileName().toString().startsWith(CONNECT_JAR))) {
                throw BoltException.environment(
                        "the cluster at " + masterUrl + " runs the Spark in " + home
                                + ", which has no jar of Spark Connect",
                        "'bolt cluster stop', set SPARK_HOME to a Spark that has it, such as pip's, and 'bolt cluster"
                                + " start'");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends every process, and removes everything they left: sockets, shared memory, directories. */
    public void clear() {
        List<ProcessRecord> all = processes();
        ProcessRecord.end(
                all.stream().filter(one -> !one.title().startsWith(AGENT)).toList(), SPARK_GRACE);
        ProcessRecord.end(
                all.stream().filter(one -> one.title().startsWith(AGENT)).toList(), AGENT_GRACE);
        List<String> left = all.stream()
                .filter(ProcessRecord::lives)
                .map(one -> one.title() + " (process " + one.pid() + ")")
                .toList();
        if (!left.isEmpty()) {
            throw BoltException.failed("still running: " + String.join(", ", left) + "; its files stay in " + root());
        }
        run.sockets().ifPresent(sockets -> {
            removeSlabs(sockets);
            FileTrees.delete(sockets);
        });
        FileTrees.delete(root());
    }

    /**
     * Removes the slabs of agents that were killed: a slab has a name outside the agent's directory, and only a
     * successor would replace it.
     *
     * @param root in which agents met their executors, and none lives any more
     */
    private static void removeSlabs(Path root) {
        try {
            for (MeetingPlace place : MeetingPlace.existing(root)) {
                Slab.removeLeft(SlabLocation.preferred(SlabName.of(place)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what is known of the cluster, for programs. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        List<ProcessRecord> processes = processes();
        json.put("running", isWhole());
        description().ifPresent(cluster -> {
            json.put("master", cluster.masterUrl());
            json.put("ui", cluster.uiUrl());
            json.put("spark", cluster.spark());
            json.put("hosts", cluster.hosts());
            json.put("coresPerHost", cluster.coresPerHost());
            json.put("executorMemory", cluster.executorMemory());
            json.put("cables", cluster.cables().label());
            json.put("agentRoot", cluster.agentRoot());
            if (!cluster.agentRoot().isEmpty()) {
                CarriedBytes.byRdma(Path.of(cluster.agentRoot())).ifPresent(bytes -> json.put("rdmaBytes", bytes));
            }
            json.put("sparkConfDir", clientConfiguration().toString());
        });
        if (exists()) {
            json.put("directory", root().toString());
        }
        json.put(
                "processes",
                processes.stream()
                        .map(one -> Map.of("name", one.title(), "pid", one.pid(), "alive", one.lives()))
                        .toList());
        return json;
    }

    /** Returns the virtual cables; fails if no cluster runs, or it has none. */
    VirtualCables cables() {
        ClusterDescription cluster = description()
                .filter(described -> isWhole())
                .orElseThrow(() -> BoltException.failed("no cluster runs: start one with bolt cluster start"));
        String emulator = cluster.settings().get("spark.boltshuffle.agent.verbsLibrary");
        if (emulator == null) {
            throw BoltException.failed("the cluster was started with --cables none");
        }
        Cabling cabling = new Cabling(cluster.cables(), 1);
        return new VirtualCables(
                Path.of(emulator),
                ClusterFabric.directory(run, cluster.hosts(), cabling.label()).resolve(ClusterFabric.TOPOLOGY),
                new FullMesh(cluster.hosts(), 1).cables());
    }

    /** Returns whether the cluster is ready and none of the processes that it needs has ended. */
    public boolean isWhole() {
        return description().isPresent()
                && processes().stream()
                        .filter(process -> !process.title().equals(ANNOUNCER))
                        .allMatch(ProcessRecord::lives);
    }

    /** Returns the state for a person. */
    String toText() {
        ClusterDescription cluster = description().orElseThrow();
        StringBuilder text = new StringBuilder();
        line(text, "master", cluster.masterUrl());
        line(text, "UI", cluster.uiUrl());
        line(
                text,
                "hosts",
                String.join(", ", cluster.hosts()) + ": Spark " + cluster.spark() + ", "
                        + Counted.of(cluster.coresPerHost(), "core") + " and " + cluster.executorMemory() + " each");
        line(text, "cables", cables(cluster));
        if (!cluster.agentRoot().isEmpty()) {
            line(text, "agents", "bolt agent status --root " + cluster.agentRoot());
            CarriedBytes.byRdma(Path.of(cluster.agentRoot()))
                    .ifPresent(bytes -> line(text, "by RDMA", ByteFigures.bytes(bytes) + " so far"));
        }
        for (ProcessRecord process : processes()) {
            line(
                    text,
                    "process",
                    process.pid() + "  " + process.title()
                            + (process.lives() ? "" : "  ENDED: its log is " + run.log(process.title())));
        }
        return text.toString().stripTrailing();
    }

    private static String cables(ClusterDescription cluster) {
        return switch (cluster.cables()) {
            case SEND -> "virtual Thunderbolt, by Apple's rules (send)";
            case READ -> "virtual cables with RDMA READ (read)";
            case NONE, AUTO -> "none: every block goes by TCP";
        };
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(String.format("%-9s %s%n", label, value));
    }
}
