package io.boltshuffle.cli.queries;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.option.EmulatorOption;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.RunDirectoryOptions;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt queries}. */
@Command(
        name = "queries",
        mixinStandardHelpOptions = true,
        header =
                "Runs Spark's own TPC-H and TPC-DS queries with Spark's shuffle and with ours, and compares the answers.",
        description = {
            "",
            "On two hosts of this machine, joined by a virtual cable. Every query runs with adaptive execution and without; "
                    + "nothing is broadcast, so that joins shuffle. Rows are compared by a digest, without their order. What "
                    + "differs runs once more with stock Spark: a query that gives two answers there is not held against us.",
            "",
            "Examples: two queries, and all of them (an hour or so on two cores):",
            "  bolt queries --benchmark tpch --query q3,q18",
            "  bolt queries",
            ""
        },
        footer = {"", "Exits with 1 if an answer differs, or less than 99 % of the bytes came by RDMA."})
public final class QueriesCommand implements Callable<Integer> {
    private static final int HOSTS = 2;
    private static final long DISK_BYTES = 4L << 30;

    @Option(
            names = "--benchmark",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "tpch,tpcds",
            description = "Which queries: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<QuerySet> sets = List.of();

    @Option(
            names = "--query",
            split = ",",
            paramLabel = "NAME",
            description = "Only these, such as q3; those of TPC-DS 2.7 are v2.7-q5a and the like.")
    private List<String> names = List.of();

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            defaultValue = "0.01",
            description = "Of the tables; 1 is a gigabyte (default: ${DEFAULT-VALUE}).")
    private double scale = 0.01;

    @Option(
            names = "--cables",
            defaultValue = "send",
            description =
                    "What joins the hosts: send, by Apple's rules, or read, with RDMA READ (default: ${DEFAULT-VALUE}).")
    private CableKind cables = CableKind.SEND;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Override
    public Integer call() {
        if (cables != CableKind.SEND && cables != CableKind.READ) {
            throw BoltException.usage("--cables has to be send or read");
        }
        if (!(scale > 0 && scale <= 100)) {
            throw BoltException.usage("--scale is " + scale + "; it has to be above 0 and at most 100");
        }
        Console console = Console.standardError();
        Path library = emulator.require();
        SparkRuntime runtime = spark.find(console);
        SparkRuntime suites = new SparkRuntimes(System.getenv(), UserCache.of(System.getenv()), console)
                .findWithSuites(runtime.line());
        QueryReport report;
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = runDirectory.create(DISK_BYTES, console, teardown);
            report = compare(runtime, suites, library, run, console, teardown);
        }
        System.out.println(json.render(report::toJson, report::toText));
        report.faults().forEach(fault -> console.line("bolt: " + fault));
        return report.faults().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private QueryReport compare(
            SparkRuntime runtime,
            SparkRuntime suites,
            Path library,
            RunDirectory run,
            Console console,
            Teardown teardown) {
        console.line("starting Spark " + runtime.release() + " on " + HOSTS + " hosts");
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / HOSTS);
        VirtualCluster cluster = VirtualCluster.start(runtime, new ClusterSpec(HOSTS, cores, "1g"), run, teardown);
        Installation installation = Installation.current();
        NodeAgents agents = NodeAgents.start(
                new NodeAgents.Parts(runtime, installation.pluginJar(), library),
                cables,
                cluster.hosts(),
                run,
                teardown);
        JobRunner jobs = new JobRunner(runtime, run, installation.examplesJar(), console, teardown);
        QueryBenchmark benchmark = new QueryBenchmark(suites, cluster, agents, jobs, installation, console);
        List<QueryComparison> comparisons = new ArrayList<>();
        for (QuerySet set : sets) {
            comparisons.add(benchmark.run(set, names, Double.toString(scale)));
        }
        return new QueryReport(runtime.release(), Double.toString(scale), comparisons);
    }
}
