package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.ClusterOptions;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.RunDirectoryOptions;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench passthrough}. */
@Command(
        name = "passthrough",
        mixinStandardHelpOptions = true,
        header = "What the plugin costs where it hands every block to Netty.",
        description = {
            "",
            "Writes a shuffle and reads it several times, under stock Spark and under boltshuffle by turns, on one "
                    + "cluster of this machine. Numbers from a machine that does other work say little.",
            "",
            "Example:",
            "  bolt bench passthrough --size 16m --rounds 1",
            ""
        })
final class BenchPassthroughCommand implements Callable<Integer> {
    @Option(
            names = "--size",
            converter = ByteSize.Converter.class,
            defaultValue = "256m",
            description = "Bytes in the shuffle (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(1 << 28);

    @Mixin
    private final RoundsOption rounds = new RoundsOption(5);

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        rounds.check();
        Console console = Console.standardError();
        Installation installation = Installation.current();
        SparkRuntime runtime = spark.find(console);
        PassthroughReport report;
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = runDirectory.create(size.bytes() * 2, console, teardown);
            VirtualCluster hosts = VirtualCluster.start(runtime, cluster.spec(), run, teardown);
            JobRunner jobs = new JobRunner(runtime, run, installation.examplesJar(), console, teardown);
            report = new PassthroughBench(hosts, jobs, installation, console).run(size.bytes(), rounds.count());
        }
        System.out.println(json.render(report::toJson, report::toTable));
        return ExitCode.OK;
    }
}
