package io.boltshuffle.cli.up;

import io.boltshuffle.cli.agent.UserService;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.doctor.DoctorLine;
import io.boltshuffle.cli.joining.LiveCodes;
import io.boltshuffle.cli.localcluster.ClientFiles;
import io.boltshuffle.cli.localcluster.ClusterDescription;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
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
                    + "machine within 15 minutes: it is good for one machine. A machine gets the cluster's secret "
                    + "when it joins; without it nothing can run a job here.",
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
    static final int HIGHEST_PORT = 65535;
    private static final long DISK_BYTES = 256L << 20;

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
                    "Name or address of this machine that the others reach (default: its address in the network).")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + USUAL_PORT,
            description = "Port at which machines join; another one if it is taken (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--no-announce",
            description = "Do not announce by multicast DNS where machines join: each needs the whole line.")
    private boolean unannounced;

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
        requireSense();
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
        if (atLogin) {
            return ExitCode.OK;
        }
        console.line("On each other machine, within " + LiveCodes.LIFE.toMinutes()
                + " minutes (for one more: bolt up --code), with boltshuffle "
                + BuildFacts.current().version() + " there"
                + (place.isAnnounced() ? "; in the same network 'bolt join' and the code will do:" : ":"));
        print(JoinLine.read(place).with(place.codes().issue()));
        if (login) { // last: the others can join also where there is no login to start at
            AtLogin.install(command.commandLine().getParseResult(), UserService.atLogin(DownCommand.NAME), console);
        }
        return ExitCode.OK;
    }

    private void requireSense() {
        if (port < 1 || port > HIGHEST_PORT) {
            throw BoltException.usage("--port is " + port + "; it has to be 1 to " + HIGHEST_PORT);
        }
        if (status && (code || login)) {
            throw BoltException.usage("--status changes nothing: leave out " + (code ? "--code" : AtLogin.OPTION));
        }
        if (code && login) {
            throw BoltException.usage("--code asks the cluster that runs: leave out " + AtLogin.OPTION);
        }
        if (json.chosen() && !status) {
            throw BoltException.usage("--json belongs to --status");
        }
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
            ClusterDescription here = cluster.description().orElseThrow();
            if (!OwnAddress.isOwn(here.hosts().get(0))) {
                throw BoltException.failed("this machine no longer has the address "
                        + here.hosts().get(0) + ", at which its cluster runs: bolt down, then bolt up");
            }
            console.line("a cluster runs already, at " + here.masterUrl() + " (bolt up --status)");
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
            new FirstNode(place, cache, share, address, runtime, run, console, teardown).start(port, !unannounced);
            teardown.keep();
        }
        console.line(ClientFiles.howToUse(cluster, "bolt down").strip());
        console.line("");
        console.line(DoctorLine.ofThisMachine());
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
