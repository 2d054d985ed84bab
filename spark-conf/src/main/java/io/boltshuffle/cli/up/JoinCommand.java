package io.boltshuffle.cli.up;

import io.boltshuffle.cli.agent.UserService;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.doctor.DoctorLine;
import io.boltshuffle.cli.joining.ClusterOffer;
import io.boltshuffle.cli.joining.Fingerprint;
import io.boltshuffle.cli.joining.JoinClient;
import io.boltshuffle.cli.joining.JoinCode;
import io.boltshuffle.cli.joining.Membership;
import io.boltshuffle.cli.localcluster.ClusterDescription;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.nearby.MulticastFinder;
import io.boltshuffle.cli.nearby.NearbyDesk;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.cli.runtime.WantedSpark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bolt join}. */
@Command(
        name = "join",
        mixinStandardHelpOptions = true,
        header = "Joins the cluster that bolt up started on another machine.",
        description = {
            "",
            "Gets all it needs from that machine, fetches the same Spark if there is none here, and starts a worker "
                    + "and an agent, which stay. Compare the fingerprint with the one that 'bolt up' prints, if you "
                    + "do not trust the network. Without words it joins the last cluster again.",
            "",
            "Example, as bolt up printed it; in the same network; and to come back after a restart:",
            "  bolt join mac1.local 7F3K-0M2C-XTZ9-41QB",
            "  bolt join 7F3K-0M2C-XTZ9-41QB",
            "  bolt join",
            ""
        },
        footer = {
            "",
            "Exits with 1 if the other machine refuses, with 2 if several answer to a code without a host, with 3 if"
                    + " none does."
        })
public final class JoinCommand implements Callable<Integer> {
    private static final Pattern PLACE = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\[\\]:\\s]+)(?::(\\d{1,5}))?");
    private static final long DISK_BYTES = 256L << 20;
    private static final int CONNECT_MILLIS = 5_000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "The first machine, as bolt up printed it (default, with a code: the one that multicast DNS"
                    + " finds in the local network).")
    private @Nullable String first;

    @Parameters(index = "1", arity = "0..1", paramLabel = "CODE", description = "The code that bolt up printed.")
    private @Nullable String code;

    @Option(names = AtLogin.OPTION, description = "Join again at each login, by launchd or systemd, until bolt leave.")
    private boolean login;

    @Option(names = AtLogin.QUIET, hidden = true)
    @SuppressWarnings("UnusedVariable") // a code is printed by the other verb only
    private boolean atLogin;

    @Mixin
    private final NodeOptions node = new NodeOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        Console console = Console.standardError();
        UserCache cache = UserCache.of(System.getenv());
        SharedPlace place = SharedPlace.of(cache);
        try (FileChannel lock = place.cluster().lock()) {
            assert lock.isOpen();
            Target target = target(place);
            if (!isThere(place, target, console)) {
                join(target, place, cache, console);
            }
        }
        if (login) {
            AtLogin.install(command.commandLine().getParseResult(), UserService.atLogin(LeaveCommand.NAME), console);
        }
        return ExitCode.OK;
    }

    private void join(Target target, SharedPlace place, UserCache cache, Console console) {
        NodeOptions.Share share = node.share(console);
        Target found = target.isToBeFound() ? find(target.code().orElseThrow(), console) : target;
        place.makeRoom();
        JoinClient.Joined joined = call(found, place);
        console.line("joined the cluster of " + found.host() + ", whose certificate has the fingerprint "
                + joined.fingerprint().shown());
        try {
            start(place, cache, joined, share, console);
        } catch (BoltException e) {
            if (found.code().isPresent()) {
                console.line("the code is used, and this machine belongs to the cluster: once what follows is mended,"
                        + " type 'bolt join' alone");
            }
            throw e;
        }
        console.line(DoctorLine.ofThisMachine());
    }

    /**
     * The first machine, with a code or with the key that it gave this one.
     *
     * @param host empty if it is to be found
     * @param announced fingerprint, if it was found
     */
    private record Target(
            String host,
            int port,
            Optional<JoinCode> code,
            Optional<Membership> membership,
            Optional<Fingerprint> announced) {
        static Target of(String host, int port, JoinCode code) {
            return new Target(host, port, Optional.of(code), Optional.empty(), Optional.empty());
        }

        boolean isToBeFound() {
            return host.isEmpty();
        }
    }

    private static Target find(JoinCode code, Console console) {
        NearbyChoice choice = new NearbyChoice(MulticastFinder.ofThisMachine(), console);
        NearbyDesk only = choice.only(code);
        return new Target(
                choice.host(only), only.port(), Optional.of(code), Optional.empty(), Optional.of(only.fingerprint()));
    }

    private Target target(SharedPlace place) {
        if (first == null) {
            Membership last = place.membership()
                    .orElseThrow(() -> BoltException.usage("this machine has not joined a cluster yet: type the line"
                            + " that bolt up prints on the first machine"));
            return new Target(last.host(), last.port(), Optional.empty(), Optional.of(last), Optional.empty());
        }
        if (code == null) {
            return Target.of(
                    "",
                    UpCommand.USUAL_PORT,
                    JoinCode.parse(first)
                            .orElseThrow(() -> BoltException.usage("the code is missing, as '" + first + "' is none:"
                                    + " type the whole line that bolt up printed, its code alone in the same network,"
                                    + " or bolt join alone to come back")));
        }
        Matcher matcher = PLACE.matcher(first);
        if (!matcher.matches()) {
            throw BoltException.usage("'" + first + "' is no HOST or HOST:PORT");
        }
        int port = matcher.group(2) == null ? UpCommand.USUAL_PORT : Integer.parseInt(matcher.group(2));
        if (port < 1 || port > UpCommand.HIGHEST_PORT) {
            throw BoltException.usage("the port of '" + first + "' has to be 1 to " + UpCommand.HIGHEST_PORT);
        }
        JoinCode typed = JoinCode.parse(code)
                .orElseThrow(() -> BoltException.usage("that is no code: one has 16 letters and digits, as in"
                        + " 7F3K-0M2C-XTZ9-41QB, and none of them is a U"));
        return Target.of(matcher.group(1).replaceAll("[\\[\\]]", ""), port, typed);
    }

    /**
     * Returns whether there is nothing to do: this machine's part runs, at an address that it still has, and the first
     * machine does not say that it has no such worker: it may have begun anew, with another secret.
     */
    private static boolean isThere(SharedPlace place, Target target, Console console) {
        if (!place.runs()) {
            return false;
        }
        if (place.isFirst()) {
            throw BoltException.failed("this machine runs a cluster of its own: bolt down ends it");
        }
        if (target.code().isPresent()) {
            throw BoltException.failed("this machine has joined "
                    + place.membership()
                            .map(joined -> "the cluster of " + joined.host())
                            .orElse("a cluster")
                    + " already: bolt leave ends that");
        }
        boolean works = place.cluster().isWhole()
                && isKnownToFirst(place.cluster().description().orElseThrow());
        if (works) {
            console.line("this machine works in the cluster of " + target.host() + " already (bolt up --status)");
        }
        return works;
    }

    private static boolean isKnownToFirst(ClusterDescription here) {
        String address = here.hosts().get(0);
        return OwnAddress.isOwn(address)
                && MasterPage.at(here.uiUrl())
                        .map(page -> page.hasWorkerAt(address))
                        .orElse(true);
    }

    private static JoinClient.Joined call(Target target, SharedPlace place) {
        Path own = Installation.current().pluginJar();
        Path jars = PrivateFiles.directory(place.root().resolve("jars"));
        try (JoinClient client = JoinClient.call(
                target.host(), target.port(), BuildFacts.current().version(), OwnAddress.name())) {
            JoinClient.Joined joined = join(client, target, own, jars);
            place.keep(joined.membership());
            return joined;
        }
    }

    private static JoinClient.Joined join(JoinClient client, Target target, Path own, Path jars) {
        if (target.membership().isPresent()) {
            return client.rejoin(target.membership().get(), own, jars);
        }
        JoinCode code = target.code().orElseThrow();
        return target.announced().isPresent()
                ? client.join(code, target.announced().get(), own, jars)
                : client.join(code, own, jars);
    }

    private static void start(
            SharedPlace place, UserCache cache, JoinClient.Joined joined, NodeOptions.Share share, Console console) {
        ClusterOffer offer = joined.offer();
        requireMaster(offer.masterUrl());
        SparkRuntime runtime = spark(offer.spark(), cache, console);
        String address = joined.here().getHostAddress();
        LocalCluster cluster = place.cluster();
        ClusterSpec worker = share.worker();
        if (worker.executorMemoryBytes()
                < ClusterSpec.sharing(1, offer.executorMemory()).executorMemoryBytes()) {
            console.line("bolt: an executor takes " + offer.executorMemory() + ", and this machine gives "
                    + worker.executorMemory() + ", so it gets none: give a job less by spark.executor.memory");
        }
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = RunDirectory.outliving(cluster.root(), DISK_BYTES, teardown);
            run.record(LocalCluster.STARTER, ProcessHandle.current());
            Node here = new Node(
                    runtime,
                    Node.machine(address, runtime, offer.pluginJar()),
                    offer.pluginJar(),
                    run,
                    console,
                    teardown);
            console.line("starting a worker of Spark " + runtime.release() + " at " + address + ", with "
                    + Counted.of(worker.coresPerHost(), "core") + " and " + worker.executorMemory() + " for executors");
            here.configure(offer.secret());
            Map<String, String> agent = new LinkedHashMap<>(offer.agentSettings());
            agent.putAll(share.settings());
            here.startAgent(share.slabBytes(), agent);
            VirtualCluster.addWorkers(runtime, worker, here.machine(), offer.masterUrl(), run, teardown);
            here.keepAwake();
            here.describe(cluster, offer, offer.settings(), worker);
            teardown.keep();
        }
    }

    /** Says at once what Spark's worker would try for minutes. */
    private static void requireMaster(String masterUrl) {
        URI master = URI.create(masterUrl);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(master.getHost(), master.getPort()), CONNECT_MILLIS);
        } catch (IOException e) {
            throw BoltException.environment(
                    "the first machine answers, but its master at " + masterUrl + " does not (" + e.getMessage() + ")",
                    "there, let the firewall admit java; if this machine does not reach that address: bolt down, then"
                            + " bolt up --host ADDRESS");
        }
    }

    /** Returns the same Spark as the first machine's: a SPARK_HOME of another release is left alone. */
    private static SparkRuntime spark(String release, UserCache cache, Console console) {
        WantedSpark wanted = WantedSpark.of(release)
                .orElseThrow(() -> BoltException.failed("the first machine runs Spark " + release
                        + ", which cannot be fetched: set SPARK_HOME to it here"));
        Map<String, String> environment = new HashMap<>(System.getenv());
        String home = environment.getOrDefault("SPARK_HOME", "");
        if (!home.isEmpty()
                && !SparkRuntime.at(Path.of(home).toAbsolutePath()).release().equals(release)) {
            console.line("SPARK_HOME is another Spark than " + release + ", which this worker takes");
            environment.remove("SPARK_HOME");
        }
        return new SparkRuntimes(environment, cache, console).find(wanted);
    }
}
