package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.demo.EventLogs;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.cli.option.ClusterOptions;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.proof.accelerator.Comet;
import io.boltshuffle.proof.bench.baseline.BaselineOption;
import io.boltshuffle.proof.bench.compare.Compression;
import io.boltshuffle.proof.bench.compare.Contender;
import io.boltshuffle.proof.bench.compare.JobBenchmark;
import io.boltshuffle.proof.bench.compare.JobScale;
import io.boltshuffle.proof.bench.inspark.ShuffleJob;
import io.boltshuffle.proof.bench.network.NetworkOptions;
import io.boltshuffle.proof.option.PluginSettingsOption;
import io.boltshuffle.proof.queries.QueryChoice;
import io.boltshuffle.proof.queries.QuerySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench job}. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        header = "What whole jobs cost, with stock and with boltshuffle: TeraSort, TPC-H, TPC-DS, ETL, notebooks.",
        description = {
            "",
            "Two or more hosts on this machine, joined by virtual cables. Each application sorts rows and runs queries "
                    + "that shuffle much; the two shuffles take turns on the same rows and tables, with compression "
                    + "and without. Answers are compared by a digest of their rows, without their order; what differs "
                    + "runs once more with stock Spark: a query that gives two answers there is not held against us. "
                    + "Numbers from a machine that does other work say little.",
            "",
            "Ends with status 1 if the aim is missed, which is printed, or if an answer differs.",
            "",
            "Examples: a minute, and one whose inputs are kept for the next, because making tables takes minutes:",
            "  bolt bench job --job terasort --size 64m --rounds 1",
            "  bolt bench job --size 4g --scale 1 --data inputs --report job.html",
            "  bolt bench job --job tpcds --partitions 200 --tuned --compression on",
            "  bolt bench job --job notebook --partitions 200 --runs 5 --compression on",
            "",
            "Whether Spark's own queries give the same: two of them, and an eighth of a benchmark:",
            "  bolt bench job --answers --job tpch --query q3,q18 --adaptive on,off",
            "  bolt bench job --answers --job tpcds --query all --part 1/8 --rounds 1",
            "",
            "Against stock Spark in more ways than it comes:",
            "  bolt bench job --job wide --baseline nio,epoll,connections-4,tmpfs",
            "",
            "Beside an accelerator, which runs by itself and with the plugin, too:",
            "  bolt bench job --job tpcds --compression on --with comet --spark 4.1",
            "",
            "What a cable buys, with a network as wide next to a host's cores as that of a desk, as root on Linux:",
            "  bolt bench job --job wide,join,group-by,narrow --like mac:14c,10g",
            ""
        })
final class BenchJobCommand extends ClusterCommand {
    /** Queries of TPC-DS that shuffle much. */
    private static final List<String> SHUFFLING = List.of("q23a", "q64", "q72", "q78", "q93", "q95");

    /** The jobs to run. */
    enum Job {
        TERASORT,
        TPCH,
        TPCDS,
        WIDE,
        JOIN,
        GROUP_BY,
        NARROW,
        ETL,
        NOTEBOOK;

        private Optional<ShuffleJob> small() {
            return Arrays.stream(ShuffleJob.values())
                    .filter(job -> job.name().equals(name()))
                    .findFirst();
        }

        /** Returns the name as the command line has it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--job",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "terasort,tpcds",
            description =
                    "Of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). wide repartitions rows of a kilobyte, "
                            + "64 x 64; narrow pairs of longs, 8 x 200; join and group-by take pairs of longs, too; "
                            + "etl is the demo's feature-prep, from tables of TPC-H to Parquet; notebook is the start "
                            + "of a session and eleven small queries.")
    private Set<Job> jobs = EnumSet.noneOf(Job.class);

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            defaultValue = "512m",
            description = "Bytes that TeraSort sorts, and that each small job shuffles (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(1L << 29);

    @Option(
            names = "--query",
            split = ",",
            paramLabel = "NAME",
            description = "Queries of TPC-H or TPC-DS, such as q3, v2.7-q5a or all (default: all of TPC-H, and of "
                    + "TPC-DS six that shuffle much: q23a,q64,q72,q78,q93,q95).")
    private List<String> queries = List.of();

    @Option(
            names = "--part",
            paramLabel = "K/N",
            defaultValue = "1/1",
            description =
                    "Only the K-th of N parts of them, to run all in several commands (default: ${DEFAULT-VALUE}).")
    private String part = "1/1";

    @Option(names = "--answers", description = "Only compare answers: times are shown, and a slower one is no fault.")
    private boolean answers;

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            defaultValue = "0.1",
            description = "Of the tables of TPC-H and TPC-DS; 1 is a gigabyte (default: ${DEFAULT-VALUE}).")
    private double tableScale;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "0",
            description = "Of what queries shuffle; Spark's own default is 200 (default: ${DEFAULT-VALUE}, which is "
                    + "four for each core).")
    private int partitions;

    /** Whether queries are planned again as they run. */
    enum Adaptive {
        ON,
        OFF;

        /** Returns the name as the command line has it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--adaptive",
            split = ",",
            paramLabel = "STATE",
            defaultValue = "on",
            description = "Whether Spark plans queries again as they run (AQE): on, off or both (default: "
                    + "${DEFAULT-VALUE}).")
    private Set<Adaptive> adaptive = EnumSet.noneOf(Adaptive.class);

    @Option(
            names = "--tuned",
            description = "Let stock Spark take part once more with the settings that you could make by hand against "
                    + "the cost of many small partitions.")
    private boolean tuned;

    @Option(
            names = "--compression",
            split = ",",
            paramLabel = "STATE",
            defaultValue = "on,off",
            description = "Of what is shuffled: on, off or both (default: ${DEFAULT-VALUE}).")
    private Set<Compression> compressions = EnumSet.noneOf(Compression.class);

    @Option(
            names = "--runs",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "Of each query or cell in one application: the first is cold, the others "
                    + "are told apart (default: ${DEFAULT-VALUE}).")
    private int runs;

    /** An accelerator that queries may run with besides Spark itself. */
    enum Accelerator {
        COMET;

        /** Returns the name as the command line has it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "NAME",
            description = "An accelerator that takes part by itself, and with the plugin: comet, which is fetched from "
                    + "Maven Central for the Spark that runs, such as that of --spark 4.1. Each executor gets as much "
                    + "memory off the heap for it as --executor-memory says (default: none).")
    private Set<Accelerator> accelerators = EnumSet.noneOf(Accelerator.class);

    @Mixin
    private final BaselineOption baselines = new BaselineOption();

    @Mixin
    private final RoundsOption rounds = new RoundsOption(3);

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where rows and tables are kept for the next run; it is made if it does not exist "
                    + "(default: nowhere).")
    private @Nullable Path data;

    @Option(
            names = "--event-logs",
            paramLabel = "DIR",
            description = "Where applications write event logs, for bolt savings and bolt history (default: nowhere).")
    private @Nullable Path eventLogs;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Mixin
    private final NetworkOptions network = new NetworkOptions();

    @Override
    protected void checkOptions() {
        rounds.check();
        baselines.check();
        if (runs < 1) {
            throw BoltException.usage("--runs is " + runs + "; it has to be 1 or more");
        }
        if (partitions < 0) {
            throw BoltException.usage("--partitions is " + partitions + "; it has to be 0 or more");
        }
        if (!(tableScale > 0 && tableScale <= 100)) {
            throw BoltException.usage("--scale is " + tableScale + "; it has to be above 0 and at most 100");
        }
        if (data != null && Files.exists(data) && !Files.isDirectory(data)) {
            throw BoltException.usage("--data " + data + " is no directory");
        }
        if (eventLogs != null && !Files.isDirectory(eventLogs)) {
            throw BoltException.usage("--event-logs " + eventLogs + " is no directory");
        }
        queries();
        network.check(cluster.spec());
    }

    @Override
    protected long diskBytes() {
        return scale(List.of()).diskBytes();
    }

    @Override
    protected Report run(ClusterRun run) {
        var suites = new SparkRuntimes(System.getenv(), UserCache.of(System.getenv()), run.console())
                .findWithSuites(run.runtime().line().withSuites());
        List<Contender> contenders = contenders(run);
        JoinedCluster joined = network.start(run, cluster.spec(), cables.kind(), conf.values());
        Path inputs = data == null ? run.directory().directory("data") : made(data.toAbsolutePath());
        Map<String, String> logging = eventLogs == null ? Map.of() : EventLogs.settings(eventLogs.toAbsolutePath());
        JobBenchmark benchmark = new JobBenchmark(joined, network.held(cluster.spec()), scale(contenders), logging);
        ifStopped(benchmark::soFar);
        return benchmark.run(suites, inputs);
    }

    /** Makes a directory for what later runs read, with those above it. */
    private static Path made(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw BoltException.usage("--data " + directory + " cannot be made (" + e + "): give another directory");
        }
    }

    private List<Contender> contenders(ClusterRun run) {
        List<Contender> all = new ArrayList<>(Contender.all(tuned, baselines.besidesDefault()));
        if (accelerators.contains(Accelerator.COMET)) {
            Comet comet = Comet.of(run.runtime().line(), UserCache.of(System.getenv()), run.console());
            all.addAll(Contender.of(comet, cluster.spec().executorMemory()));
        }
        return all;
    }

    private JobScale scale(List<Contender> contenders) {
        return new JobScale(
                jobs.contains(Job.TERASORT) ? size.bytes() : 0,
                jobs.stream().flatMap(job -> job.small().stream()).toList(),
                size.bytes(),
                jobs.contains(Job.ETL),
                jobs.contains(Job.NOTEBOOK),
                tableScale,
                queries(),
                partitions,
                adaptive.stream().map(state -> state == Adaptive.ON).toList(),
                runs,
                List.copyOf(compressions),
                contenders,
                answers,
                rounds.count());
    }

    private Map<QuerySet, QueryChoice> queries() {
        Map<QuerySet, QueryChoice> chosen = new EnumMap<>(QuerySet.class);
        if (jobs.contains(Job.TPCH)) {
            chosen.put(QuerySet.TPCH, choice(List.of()));
        }
        if (jobs.contains(Job.TPCDS)) {
            chosen.put(QuerySet.TPCDS, choice(SHUFFLING));
        }
        return chosen;
    }

    private QueryChoice choice(List<String> usual) {
        return QueryChoice.of(queries.isEmpty() ? usual : queries.equals(List.of("all")) ? List.of() : queries, part);
    }
}
