package io.boltshuffle.cli.up;

import io.boltshuffle.cli.agent.UserService;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Daemon;
import io.boltshuffle.cli.cluster.MachineSize;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.doctor.DoctorLine;
import io.boltshuffle.cli.joining.LiveCodes;
import io.boltshuffle.cli.joining.Offer;
import io.boltshuffle.cli.localcluster.ClientFiles;
import io.boltshuffle.cli.localcluster.ClusterDescription;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.HistoryServer;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt up}. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        header = "Starts a Spark cluster on this machine, and prints the line by which others join it.",
        description = {
            "",
            "Starts an agent, a master, a worker and a history server, which stay. Type the printed line on another "
                    + "machine within 15 minutes: it is good for one machine. Programs are kept out by a secret that "
                    + "machines get when they join.",
            "",
            "Example: start it; print a line for one more machine; see who is there:",
            "  bolt up",
            "  bolt up --code",
            "  bolt up --status",
            ""
        },
        footer = {"", "Exits with 1 if --status finds that none runs, or that a process has ended."})
public final class UpCommand implements Callable<Integer> {
    static final int USUAL_PORT = 7340;
    private static final long DISK_BYTES = 256L << 20;
    private static final int SECRET_BYTES = 32;
    private static final Pattern HISTORY_READY = Pattern.compile("HistoryServer[^\\n]* started at (http\\S+)");

    @Option(names = "--status", description = "Show what runs and which machines have joined; change nothing.")
    private boolean status;

    @Option(names = "--code", description = "Print a line for one more machine; change nothing else.")
    private boolean code;

    @Option(
            names = AtLogin.OPTION,
            description = "Start it again at each login, by launchd or systemd, until bolt down.")
    private boolean login;

    @Option(names = AtLogin.QUIET, hidden = true)
    private boolean atLogin;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description =
                    "Name or address of this machine that the others reach (default: its address in the " + "network).")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + USUAL_PORT,
            description = "Port at which machines join; another one if it is taken (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private final NodeOptions node = new NodeOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        Console console = Console.standardError();
        UserCache cache = UserCache.of(System.getenv());
        SharedPlace place = SharedPlace.of(cache);
        if (status) {
            return showStatus(place);
        }
        if (!code) {
            try (FileChannel lock = place.cluster().lock()) {
                assert lock.isOpen();
                startUnlessItRuns(place, cache, console);
            }
        } else if (!place.runs() || !place.isFirst()) {
            throw BoltException.failed("no cluster was started here: start one with bolt up");
        }
        if (login) {
            AtLogin.install(command.commandLine().getParseResult(), UserService.atLogin(DownCommand.NAME), console);
        }
        if (atLogin) {
            return ExitCode.OK;
        }
        console.line("On each other machine, within " + LiveCodes.LIFE.toMinutes()
                + " minutes (for one more: bolt up --code), with boltshuffle "
                + BuildFacts.current().version() + " there:");
        print(JoinLine.read(place).with(place.codes().issue()));
        return ExitCode.OK;
    }

    private void startUnlessItRuns(SharedPlace place, UserCache cache, Console console) throws IOException {
        LocalCluster cluster = place.cluster();
        if (place.runs()) {
            if (!place.isFirst()) {
                throw BoltException.failed("this machine has joined another one's cluster: bolt leave ends that");
            }
            if (!cluster.isWhole()) {
                throw BoltException.failed("a process of the cluster has ended ('bolt up --status' says which): bolt"
                        + " down, then bolt up");
            }
            console.line("a cluster runs already, at "
                    + cluster.description().orElseThrow().masterUrl() + " (bolt up --status)");
            return;
        }
        place.makeRoom();
        NodeOptions.Share share = node.share(console);
        String address = OwnAddress.of(host);
        SparkRuntime runtime = spark.find(console);
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = RunDirectory.outliving(cluster.root(), DISK_BYTES, teardown);
            run.record(LocalCluster.STARTER, ProcessHandle.current());
            console.line("this machine's certificate has the fingerprint "
                    + place.identity().fingerprint().shown());
            start(new Start(place, cache, share, address, runtime, run, console, teardown));
            teardown.keep();
        }
        console.line(ClientFiles.howToUse(cluster, "bolt down").strip());
        console.line("");
        console.line(DoctorLine.ofThisMachine());
    }

    /** The parts of a start. */
    private record Start(
            SharedPlace place,
            UserCache cache,
            NodeOptions.Share share,
            String address,
            SparkRuntime runtime,
            RunDirectory run,
            Console console,
            Teardown teardown) {}

    private void start(Start start) throws IOException {
        Path jar = Installation.current().pluginJar();
        String secret = randomSecret();
        Node here = new Node(
                start.runtime(),
                Node.machine(start.address(), start.runtime(), jar),
                jar,
                start.run(),
                start.console(),
                start.teardown());
        start.console()
                .line("starting Spark " + start.runtime().release() + " at " + start.address() + ", with "
                        + Counted.of(start.share().worker().coresPerHost(), "core") + " and "
                        + start.share().worker().executorMemory() + " for executors");
        here.configure(secret);
        here.startAgent(start.share().slabBytes(), start.share().settings());
        VirtualCluster spark = VirtualCluster.start(
                start.runtime(),
                start.share().worker(),
                here.machine(),
                VirtualCluster.Ports.USUAL,
                start.run(),
                start.teardown());
        here.keepAwake();
        Path eventLogs = Files.createDirectories(start.cache().eventLogs());
        String history = startHistory(start, eventLogs, jar);
        describe(start, spark, secret, eventLogs, jar);
        startJoinServer(start, history);
    }

    private static String startHistory(Start start, Path eventLogs, Path jar) {
        ProcessBuilder server = HistoryServer.prepare(
                start.runtime(),
                jar,
                eventLogs,
                HistoryServer.USUAL_PORT,
                VirtualCluster.daemonEnvironment(start.run(), HistoryServer.HOST));
        return Daemon.start("the history server", server, start.run(), "history", start.teardown())
                .await(HISTORY_READY);
    }

    private static void describe(Start start, VirtualCluster spark, String secret, Path eventLogs, Path jar)
            throws IOException {
        long executorBytes =
                MachineSize.executorMemoryBytes(start.share().worker().executorMemoryBytes());
        String executorMemory = (executorBytes >> 20) + "m";
        Map<String, String> shared = new LinkedHashMap<>(start.share().settings());
        shared.put("spark.authenticate", "true");
        shared.put("spark.executor.memory", executorMemory);
        Offer offer = new Offer(
                spark.masterUrl(),
                spark.uiUrl(),
                start.runtime().release(),
                executorMemory,
                start.share().settings(),
                shared,
                secret,
                jar,
                BuildFacts.sha256(jar),
                Files.size(jar));
        Map<String, String> here = new LinkedHashMap<>(shared);
        here.put("spark.eventLog.enabled", "true");
        here.put("spark.eventLog.dir", eventLogs.toString());
        describe(start.place(), offer, here, start.address(), start.share());
        ClientFiles.write(start.place().cluster(), start.runtime(), jar);
        start.place().keep(offer);
    }

    /** Writes what programs of this machine need to run on the cluster. */
    static void describe(
            SharedPlace place, Offer offer, Map<String, String> settings, String address, NodeOptions.Share share) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("spark.driver.host", address);
        all.put("spark.driver.bindAddress", address);
        place.cluster().keepSecret(Map.of("spark.authenticate.secret", offer.secret()));
        place.cluster()
                .describe(new ClusterDescription(
                        offer.masterUrl(),
                        offer.uiUrl(),
                        offer.spark(),
                        List.of(address),
                        share.worker().coresPerHost(),
                        share.worker().executorMemory(),
                        CableKind.AUTO,
                        Node.root(all).toString(),
                        all));
    }

    private void startJoinServer(Start start, String history) {
        List<String> words = List.of(
                SparkRuntime.java().toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Installation.current().lib() + "/*",
                JoinServerMain.class.getName(),
                start.cache().root().toString(),
                Integer.toString(port));
        String taken = Daemon.start("the join server", new ProcessBuilder(words), start.run(), "join", start.teardown())
                .await(JoinServerMain.READY);
        if (port != Integer.parseInt(taken)) {
            start.console().line("port " + port + " is taken: machines join at port " + taken);
        }
        new JoinLine(OwnAddress.nameForOthers(start.address()), Integer.parseInt(taken), history).keep(start.place());
    }

    private static String randomSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    private int showStatus(SharedPlace place) {
        if (place.cluster().description().isEmpty() && !json.chosen()) {
            throw BoltException.failed("no cluster runs: start one with bolt up, or join one with bolt join");
        }
        SharedStatus found = SharedStatus.of(place);
        print(json.render(found::toJson, found::toText));
        return place.cluster().isWhole() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void print(String text) {
        command.commandLine().getOut().println(text);
        command.commandLine().getOut().flush();
    }
}
