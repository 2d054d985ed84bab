package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.LoopbackHosts;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.option.ClusterOptions;
import io.boltshuffle.cli.option.FreeMemory;
import io.boltshuffle.cli.option.JoinOptions;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt cluster start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        header = "Starts a Spark cluster of virtual hosts on this machine, which stays.",
        description = {
            "",
            "Prints the master's URL, and what a notebook or another spark-submit needs. Memory, shared memory, disk "
                    + "and ports are looked at before anything is started.",
            "",
            "Example:",
            "  bolt cluster start --hosts 2",
            ""
        },
        footer = {"", "Exits with 1 if one runs already."})
final class ClusterStartCommand implements Callable<Integer> {
    private static final String DRIVER_HOST = "127.0.0.1";
    private static final long DISK_BYTES = 256L << 20;

    @Mixin
    private final ClusterOptions size = new ClusterOptions();

    @Mixin
    private final JoinOptions join = new JoinOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the master on 127.0.0.1 (default: one that is free).")
    private int port;

    @Option(
            names = "--ui-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the master's page (default: one that is free).")
    private int uiPort;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        Console console = Console.standardError();
        requireNumber("--port", port);
        requireNumber("--ui-port", uiPort);
        UserCache cache = UserCache.of(System.getenv());
        LocalCluster cluster = LocalCluster.of(cache);
        try (FileChannel lock = cluster.lock()) {
            assert lock.isOpen();
            makeRoom(cluster, console);
            requireFree("--port", port);
            requireFree("--ui-port", uiPort);
            ClusterSpec spec = size.spec();
            HostCables cables = join.cables(spec, console);
            FreeMemory.ofThisMachine().require(spec, cables.slabBytes());
            SparkRuntime runtime = spark.find(console);
            try (Teardown teardown = Teardown.hooked()) {
                RunDirectory run = RunDirectory.outliving(cluster.root(), DISK_BYTES, teardown);
                run.record(LocalCluster.STARTER, ProcessHandle.current());
                cluster.describe(start(runtime, spec, cables, run, console, teardown));
                ClientFiles.write(cluster, runtime, Installation.current().pluginJar());
                teardown.keep();
            }
        }
        PrintWriter out = command.commandLine().getOut();
        out.println(json.render(
                cluster::toJson, () -> cluster.toText() + ClientFiles.howToUse(cluster, "bolt cluster stop")));
        out.flush();
        return ExitCode.OK;
    }

    /** Clears the place: a cluster that runs stays; the remains of a killed command or a restarted machine go. */
    private static void makeRoom(LocalCluster cluster, Console console) {
        if (!cluster.exists()) {
            return;
        }
        boolean lives = cluster.processes().stream().anyMatch(ProcessRecord::lives);
        if (lives && cluster.description().isPresent()) {
            throw BoltException.failed("a cluster runs already, at "
                    + cluster.description().orElseThrow().masterUrl()
                    + ": see it with bolt cluster status, end it with bolt cluster stop");
        }
        console.line("removing what a cluster left that was not stopped");
        cluster.clear();
    }

    private ClusterDescription start(
            SparkRuntime runtime,
            ClusterSpec spec,
            HostCables cables,
            RunDirectory run,
            Console console,
            Teardown teardown) {
        console.line("starting Spark " + runtime.release() + " on " + spec.hosts() + " hosts");
        VirtualCluster started = VirtualCluster.start(
                runtime,
                spec,
                LoopbackHosts.first(spec.hosts()),
                new VirtualCluster.Ports(port, uiPort),
                run,
                teardown);
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.driver.host", DRIVER_HOST);
        settings.put("spark.driver.bindAddress", DRIVER_HOST);
        // Otherwise a short job would be over on the first host before the second host's executor has started.
        settings.put("spark.cores.max", Integer.toString(spec.cores()));
        settings.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
        settings.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s");
        settings.put("spark.executor.memory", spec.executorMemory());
        settings.put("spark.executor.extraJavaOptions", run.temporaryFilesOption());
        String agentRoot = "";
        if (cables.emulator() != null) {
            console.line(
                    "joining the hosts by virtual cables, " + cables.kind().label() + " mode, one node agent each");
            NodeAgents agents = NodeAgents.start(
                    new NodeAgents.Parts(
                            AgentProgram.of(runtime, Installation.current().pluginJar()),
                            cables.agentSettings(),
                            Map.of()),
                    ClusterFabric.virtual(cables.emulator(), new Cabling(cables.kind(), 1)),
                    started.network(),
                    run,
                    teardown);
            settings.putAll(agents.settings());
            agentRoot = agents.directory().toString();
        } else {
            settings.put("spark.boltshuffle.agent.autoStart", "false");
        }
        return new ClusterDescription(
                started.masterUrl(),
                started.uiUrl(),
                runtime.release(),
                runtime.home().toString(),
                started.hosts(),
                spec.coresPerHost(),
                spec.executorMemory(),
                cables.kind(),
                agentRoot,
                settings);
    }

    private static void requireNumber(String option, int port) {
        if (port < 0 || port > 65535) {
            throw BoltException.usage(option + " is " + port + "; it has to be 0 to 65535");
        }
    }

    private static void requireFree(String option, int port) {
        if (port == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assert socket.isBound();
        } catch (IOException e) {
            throw BoltException.environment("port " + port + " is in use", "give another " + option + ", or none");
        }
    }
}
