package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.cli.option.EmulatorOption;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.RunDirectoryOptions;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.proof.option.PluginSettingsOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt conformance}. */
@Command(
        name = "conformance",
        mixinStandardHelpOptions = true,
        header = "Runs Spark's own test suites with Spark's shuffle and with ours, and compares them.",
        description = {
            "",
            "The suites are those that Spark publishes with each release. Each runs with Spark's own shuffle, with "
                    + "ours where no agent is to be found (tcp), and with ours over virtual Thunderbolt (rdma). "
                    + "Workers of a local-cluster get two hosts in all of them, and where a suite asks for 'sort' it "
                    + "gets ours. What fails with ours alone is repeated before it counts. The first run gathers the "
                    + "suites from Maven Central.",
            "",
            "Examples: the core on Spark 4.2, one suite on two lines, broadcasts by RDMA, too, and all that there is "
                    + "(many hours):",
            "  bolt conformance",
            "  bolt conformance --suite BroadcastSuite --spark 3.5,4.2",
            "  bolt conformance --suite BroadcastSuite --conf spark.boltshuffle.blocks=all",
            "  bolt conformance --set all --spark 3.5,4.0,4.1,4.2",
            ""
        },
        footer = {
            "",
            "Exits with 1 if a test that passes with Spark's shuffle fails with ours, or our manager was never used."
        })
public final class ConformanceCommand implements Callable<Integer> {

    private static final long DISK_BYTES = 2L << 30;

    /** Chooses suites of the list. */
    enum Choice {
        CORE,
        ALL;

        /** Returns the name as the command line has it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--set",
            paramLabel = "SET",
            defaultValue = "core",
            description = "Which suites: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Choice choice = Choice.CORE;

    @Option(
            names = "--suite",
            split = ",",
            paramLabel = "NAME",
            description = "Only suites with these words in their names, of the whole list.")
    private List<String> names = List.of();

    @Option(
            names = "--test",
            paramLabel = "WORDS",
            description = "Only tests with these words in their names; may be repeated.")
    private List<String> tests = List.of();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description =
                    "Keep each run's files there (reports in JUnit's XML, counts, log), for --merge, which then judges "
                            + "whether blocks came by RDMA at all.")
    private @Nullable Path results;

    @Option(
            names = "--merge",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Run nothing; compare what commands with --results left in these folders.")
    private List<Path> merged = List.of();

    @Option(names = "--list", description = "Print the list of suites and stop.")
    private boolean list;

    @Option(
            names = "--spark",
            split = ",",
            paramLabel = "LINE",
            description = "Spark lines: 3.5, 4.0, 4.1, 4.2 (default: ${DEFAULT-VALUE}).",
            defaultValue = "4.2")
    private List<String> labels = List.of();

    @Option(
            names = "--variants",
            split = ",",
            paramLabel = "WAY",
            defaultValue = "stock,tcp,rdma",
            description =
                    "Ways to run each suite (default: ${DEFAULT-VALUE}). Without stock, Spark's own shuffle runs only "
                            + "the tests that fail or are skipped with ours, to compare.")
    private List<SuiteVariant> variants = List.of();

    @Option(
            names = "--manager",
            paramLabel = "MANAGER",
            defaultValue = "own",
            description = "Whose shuffle manager 'ours' has: the plugin's own, or stock, Spark's, whose shuffles the "
                    + "plugin carries alone (default: ${DEFAULT-VALUE}).")
    private ManagerChoice manager = ManagerChoice.OWN;

    @Option(
            names = "--cables",
            paramLabel = "KIND",
            defaultValue = "send",
            description = "What joins the hosts: send, by Apple's rules, or read, with RDMA READ (default: "
                    + "${DEFAULT-VALUE}).")
    private CableKind cables = CableKind.SEND;

    @Option(
            names = "--deadline",
            paramLabel = "MINUTES",
            defaultValue = "40",
            description = "After which a run of a suite is ended and counts as failed (default: ${DEFAULT-VALUE}).")
    private int deadlineMinutes = 40;

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Override
    public Integer call() {
        List<Suite> suites = suites();
        if (list) {
            suites.forEach(suite -> System.out.println(suite.className() + "  (" + suite.topic() + ")"));
            return ExitCode.OK;
        }
        Console console = Console.standardError();
        boolean whole = !merged.isEmpty() || results == null;
        List<SuiteResult> all = merged.isEmpty() ? run(plan(suites), console) : ResultFolder.read(merged);
        Report report = new Verdict(all, Explanations.shipped(), whole).report();
        System.out.println(json.render(report::toJson, report::toText));
        report.faults().forEach(fault -> console.line("bolt: " + fault));
        return report.faults().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private List<SuiteResult> run(Conformance.Plan plan, Console console) {
        SparkRuntimes runtimes = new SparkRuntimes(System.getenv(), UserCache.of(System.getenv()), console);
        Conformance conformance = new Conformance(plan, Installation.current(), console, Optional.ofNullable(results));
        List<SuiteResult> run = new ArrayList<>();
        for (SparkLine line : lines()) {
            try (Teardown teardown = Teardown.hooked()) {
                RunDirectory directory = runDirectory.create(DISK_BYTES, console, teardown);
                run.addAll(conformance.run(runtimes.findWithSuites(line), directory, teardown));
            }
        }
        return run;
    }

    private Conformance.Plan plan(List<Suite> suites) {
        if (cables != CableKind.SEND && cables != CableKind.READ) {
            throw BoltException.usage("--cables has to be send or read");
        }
        if (deadlineMinutes < 1) {
            throw BoltException.usage("--deadline is " + deadlineMinutes + "; it has to be 1 or more");
        }
        List<SuiteVariant> ours = variants.stream()
                .filter(variant -> variant != SuiteVariant.STOCK)
                .distinct()
                .toList();
        return new Conformance.Plan(
                suites,
                TestChoice.containing(tests),
                ours,
                variants.contains(SuiteVariant.STOCK),
                conf.values(),
                manager,
                cables,
                ours.contains(SuiteVariant.RDMA) ? emulator.require() : Path.of(""),
                Duration.ofMinutes(deadlineMinutes));
    }

    private List<Suite> suites() {
        if (!names.isEmpty()) {
            return SuiteCatalogue.named(names);
        }
        return SuiteCatalogue.all().stream()
                .filter(suite -> choice == Choice.ALL || suite.core())
                .toList();
    }

    private List<SparkLine> lines() {
        return labels.stream()
                .map(label -> SparkLine.of(label)
                        .orElseThrow(() -> BoltException.usage(
                                "'" + label + "' is not supported; supported are " + SparkLine.supported())))
                .distinct()
                .toList();
    }
}
