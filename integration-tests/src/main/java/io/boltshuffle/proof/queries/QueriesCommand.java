package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt queries}. */
@Command(
        name = "queries",
        mixinStandardHelpOptions = true,
        header = "Runs Spark's own TPC-H and TPC-DS queries with Spark's shuffle and with ours, and compares the "
                + "answers.",
        description = {
            "",
            "On two hosts of this machine, joined by a virtual cable. Every query runs with adaptive execution and "
                    + "without; nothing is broadcast, so that joins shuffle. Rows are compared by a digest, without "
                    + "their order. What differs runs once more with stock Spark: a query that gives two answers there "
                    + "is not held against us.",
            "",
            "Examples: two queries, an eighth of a benchmark, and all of them (an hour or so on two cores):",
            "  bolt queries --benchmark tpch --query q3,q18",
            "  bolt queries --benchmark tpcds --part 1/8",
            "  bolt queries",
            ""
        },
        footer = {"", "Exits with 1 if an answer differs, or less than 99 %% of the bytes came by RDMA."})
public final class QueriesCommand extends ClusterCommand {
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
            names = "--part",
            paramLabel = "K/N",
            defaultValue = "1/1",
            description =
                    "Only the K-th of N parts of them, to run all in several commands (default: ${DEFAULT-VALUE}).")
    private String part = "1/1";

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            defaultValue = "0.01",
            description = "Of the tables; 1 is a gigabyte (default: ${DEFAULT-VALUE}).")
    private double scale = 0.01;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Override
    protected void checkOptions() {
        if (!(scale > 0 && scale <= 100)) {
            throw BoltException.usage("--scale is " + scale + "; it has to be above 0 and at most 100");
        }
        choice();
    }

    private QueryChoice choice() {
        return QueryChoice.of(names, part);
    }

    @Override
    protected long diskBytes() {
        return DISK_BYTES;
    }

    @Override
    protected Report run(ClusterRun run) {
        SparkRuntime suites = new SparkRuntimes(System.getenv(), UserCache.of(System.getenv()), run.console())
                .findWithSuites(run.runtime().line());
        VirtualCluster cluster = run.start(ClusterSpec.sharing(HOSTS, "1g"));
        NodeAgents agents = run.join(cluster, new Cabling(cables.kind(), 1));
        QueryBenchmark benchmark =
                new QueryBenchmark(suites, cluster, agents, run.jobs(), run.installation(), run.console());
        List<QueryComparison> comparisons = new ArrayList<>();
        for (QuerySet set : sets) {
            comparisons.add(benchmark.run(set, choice(), Double.toString(scale)));
        }
        return new QueryReport(run.runtime().release(), Double.toString(scale), comparisons).report();
    }
}
