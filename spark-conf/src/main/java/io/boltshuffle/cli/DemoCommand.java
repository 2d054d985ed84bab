package io.boltshuffle.cli;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.demo.Demo;
import io.boltshuffle.cli.demo.DemoJob;
import io.boltshuffle.cli.demo.DemoReport;
import io.boltshuffle.cli.demo.EventLogs;
import io.boltshuffle.cli.demo.MetricsTable;
import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.ClusterOptions;
import io.boltshuffle.cli.option.JoinOptions;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.RunDirectoryOptions;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.UserCache;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Runs a sort, an ETL job and queries on two hosts of this machine, with and without the plugin.",
        description = {
            "",
            "Starts a standalone Spark cluster with one worker on each of 127.0.0.2, 127.0.0.3, ..., makes the input, "
                    + "runs TeraSort, a feature preparation and a few queries on TPC-H tables under stock Spark and "
                    + "under boltshuffle, checks every output, and prints one table. The first run fetches Spark: "
                    + "4.3 by pip, from PySpark, and any older line from Maven Central.",
            "",
            "Example, three minutes on two cores:",
            "  bolt demo --size 20m",
            ""
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            defaultValue = "1g",
            description = "Rows to sort, in bytes; the tables are a quarter of it (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(1L << 30);

    @Option(
            names = "--job",
            paramLabel = "JOB",
            split = ",",
            defaultValue = "terasort,feature-prep,sales-walk",
            description = "Which jobs to run, of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Set<DemoJob> jobs = EnumSet.noneOf(DemoJob.class);

    @Option(
            names = "--manager",
            paramLabel = "MANAGER",
            defaultValue = "own",
            description = "Whose shuffle manager the runs with the plugin have: its own, or that of stock Spark "
                    + "(default: ${DEFAULT-VALUE}).")
    private ManagerChoice manager = ManagerChoice.OWN;

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final JoinOptions join = new JoinOptions();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        Console console = Console.standardError();
        ClusterSpec spec = cluster.spec();
        HostCables joined = join.cables(spec, console);
        Demo demo = new Demo(
                spark.find(console),
                spec,
                size.bytes(),
                List.copyOf(jobs),
                Installation.current(),
                joined,
                manager,
                console);
        DemoReport report;
        String eventLogs;
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = runDirectory.create(demo.diskBytes(), console, teardown);
            report = demo.run(run, teardown);
            eventLogs = EventLogs.keep(
                    run.directory("events"), UserCache.of(System.getenv()).eventLogs());
        }
        System.out.println(json.render(report::toJson, () -> MetricsTable.of(report) + report.conclusion()));
        console.line(eventLogs);
        List<String> faults = report.faults();
        faults.forEach(fault -> console.line("bolt: " + fault));
        return faults.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
