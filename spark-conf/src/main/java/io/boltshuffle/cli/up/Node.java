package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.Daemon;
import io.boltshuffle.cli.cluster.NodeAgent;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.ThisMachine;
import io.boltshuffle.cli.joining.ClusterOffer;
import io.boltshuffle.cli.localcluster.ClientFiles;
import io.boltshuffle.cli.localcluster.ClusterDescription;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.conf.Options;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Starts what every machine of a cluster has.
 *
 * <p><b>Ownership:</b> the teardown ends what is started, until it is told to keep it.
 *
 * @param pluginJar also has the agent
 */
record Node(
        SparkRuntime runtime,
        ThisMachine machine,
        Path pluginJar,
        RunDirectory run,
        Console console,
        Teardown teardown) {
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Returns this machine, on which executors of a Spark that needs it find the plugin where the worker says. */
    static ThisMachine machine(String address, SparkRuntime runtime, Path pluginJar) {
        return new ThisMachine(
                address,
                runtime.line().loadsPluginFromUserJars()
                        ? Map.of()
                        : Map.of("SPARK_DIST_CLASSPATH", pluginJar.toString()));
    }

    /** Writes what Spark's daemons read, with the secret, which would be seen on a command line. */
    void configure(String secret) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "spark.authenticate", "true",
                "spark.authenticate.secret", secret,
                "spark.master.rest.enabled", "false",
                "spark.ui.killEnabled", "false",
                "spark.worker.cleanup.enabled", "true"));
        PrivateFiles.write(
                run.directory("conf").resolve("spark-defaults.conf"),
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + " " + setting.getValue())
                        .collect(Collectors.joining("\n", "", "\n")));
    }

    /** Starts the agent unless one runs. Where it cannot run, as without a device, blocks go by TCP. */
    void startAgent(long slabBytes, Map<String, String> settings) {
        Path root = root(settings);
        if (answers(root)) {
            console.line("an agent of " + machine.address() + " runs already, and stays as it is");
            return;
        }
        Map<String, String> all = new TreeMap<>(settings);
        all.put(Options.AGENT_SLAB.key(), (slabBytes >> 20) + "m");
        NodeAgent agent = NodeAgent.of(machine, root, all, AgentProgram.of(runtime, pluginJar), run, teardown);
        try {
            agent.start();
        } catch (BoltException e) {
            teardown.requireRunning();
            if (!agent.isAlive()) {
                run.forget("agent-" + machine.address());
            }
            console.line("bolt: blocks of this machine go by TCP: " + e.getMessage());
        }
    }

    /** Returns where executors of this machine meet its agent. */
    static Path root(Map<String, String> settings) {
        String chosen = settings.getOrDefault(Options.AGENT_DIRECTORY.key(), "");
        return chosen.isEmpty() ? MeetingPlace.defaultRoot() : Path.of(chosen);
    }

    private boolean answers(Path root) {
        try {
            for (MeetingPlace place : MeetingPlace.existing(root)) {
                if (place.isOf(machine.address())) {
                    AgentInquiry.status(place, ANSWER);
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false; // what is left of one that has ended
        }
    }

    /** Keeps the machine awake as long as its worker lives, where the system has a program for that. */
    void keepAwake() {
        run.processes().stream()
                .filter(process -> process.title().startsWith("worker-"))
                .findFirst()
                .flatMap(worker -> wakefulness(worker.pid()))
                .ifPresent(command -> {
                    Daemon.start("what keeps it awake", new ProcessBuilder(command), run, "awake", teardown);
                    run.forget("awake"); // it ends with the worker
                });
    }

    /** Writes what programs of this machine need to run on the cluster. */
    void describe(LocalCluster cluster, ClusterOffer offer, Map<String, String> settings, ClusterSpec worker) {
        String address = machine.address();
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("spark.driver.host", address);
        all.put("spark.driver.bindAddress", address);
        cluster.keepSecret(Map.of("spark.authenticate.secret", offer.secret()));
        cluster.describe(new ClusterDescription(
                offer.masterUrl(),
                offer.uiUrl(),
                runtime.release(),
                runtime.home().toString(),
                List.of(address),
                worker.coresPerHost(),
                worker.executorMemory(),
                CableKind.AUTO,
                root(all).toString(),
                all));
        ClientFiles.write(cluster, runtime, pluginJar);
    }

    private static Optional<List<String>> wakefulness(long worker) {
        String pid = Long.toString(worker);
        return switch (OperatingSystem.current()) {
            case MACOS -> Optional.of(List.of("caffeinate", "-i", "-s", "-w", pid));
            case LINUX ->
                SystemCommand.output(LIMIT, List.of("systemd-inhibit", "--list"))
                                .isEmpty()
                        ? Optional.empty()
                        : Optional.of(List.of(
                                "systemd-inhibit",
                                "--what=sleep:idle",
                                "--who=bolt",
                                "--why=a Spark worker runs",
                                "tail",
                                "--pid=" + pid,
                                "-f",
                                "/dev/null"));
            case UNKNOWN -> Optional.empty();
        };
    }
}
