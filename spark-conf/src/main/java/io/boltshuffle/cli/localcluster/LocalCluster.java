package io.boltshuffle.cli.localcluster;

import io.boltshuffle.agent.AgentRemains;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.TextOutput;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.conf.ByteFigures;
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
import org.jspecify.annotations.Nullable;

/** What the user's cache tells of the one cluster of this user that stays: nothing, remains, or one that runs. */
public final class LocalCluster {
    private static final Duration SPARK_GRACE = Duration.ofSeconds(10);
    /** Longer than an agent gives its own links to end. */
    private static final Duration AGENT_GRACE = Duration.ofSeconds(30);

    private static final String AGENT = "agent-";
    /** Of the command that starts it. */
    static final String STARTER = "starter";

    private final RunDirectory run;

    private LocalCluster(Path root) {
        this.run = new RunDirectory(root, true);
    }

    public static LocalCluster of(UserCache cache) {
        return new LocalCluster(cache.root().resolve("cluster"));
    }

    /** Held while a cluster is started or stopped; closing it gives it back. */
    FileChannel lock() {
        Path file = root().resolveSibling("cluster.lock");
        try {
            Files.createDirectories(root().toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw BoltException.failed("another bolt cluster start or stop is at work: wait until it is done");
            }
            return channel;
        } catch (IOException e) {
            throw BoltException.environment(
                    "cannot write " + file + " (" + e + ")", "set BOLT_CACHE to a directory you may write to");
        }
    }

    Path root() {
        return run.root();
    }

    boolean exists() {
        return Files.isDirectory(root());
    }

    /** All that were started, those that have ended included; the command that started them left out. */
    List<ProcessRecord> processes() {
        return run.processes().stream()
                .filter(process -> !process.title().equals(STARTER))
                .toList();
    }

    /** Where it is reached, from when it is ready until it is stopped. */
    Optional<ClusterDescription> description() {
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

    void describe(ClusterDescription description) {
        TextOutput.write(descriptionFile(), Json.write(description));
    }

    private Path descriptionFile() {
        return root().resolve("cluster.json");
    }

    /** With {@code spark-defaults.conf}, for programs that are not started by {@code bolt}. */
    Path clientConfiguration() {
        return run.directory("client");
    }

    /** What an application needs besides the plugin, if {@code masterUrl} is this cluster's and it runs. */
    public Map<String, String> settingsFor(@Nullable String masterUrl) {
        return description()
                .filter(cluster -> cluster.masterUrl().equals(masterUrl))
                .filter(cluster -> processes().stream().anyMatch(ProcessRecord::lives))
                .map(ClusterDescription::settings)
                .orElse(Map.of());
    }

    /** Ends every process, and removes all they left: sockets, shared memory, directories. */
    void clear() {
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
            AgentRemains.remove(sockets);
            FileTrees.delete(sockets);
        });
        FileTrees.delete(root());
    }

    /** For programs: what is known of it. */
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

    /** Whether it is ready and none of its processes has ended. */
    boolean isWhole() {
        return description().isPresent() && processes().stream().allMatch(ProcessRecord::lives);
    }

    /** For a person. */
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
