package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.cli.option.ReportOption;
import io.boltshuffle.proof.bench.start.StartBenchmark;
import io.boltshuffle.proof.bench.start.StartReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bolt bench start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        header = "What the plugin adds to the start of an application that shuffles nothing.",
        description = {
            "",
            "Two hosts on this machine, joined by a virtual cable, whose agents run. The same small application is "
                    + "started with stock Spark and with boltshuffle by turns. Numbers from a machine that does other "
                    + "work say little.",
            "",
            "Example, two minutes:",
            "  bolt bench start --rounds 5",
            ""
        })
final class BenchStartCommand extends ClusterCommand<StartReport> {
    private static final long DISK_BYTES = 256L << 20;

    @Mixin
    private final RoundsOption rounds = new RoundsOption(5);

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final ReportOption page = new ReportOption();

    @Override
    protected void checkOptions() {
        rounds.check();
    }

    @Override
    protected long diskBytes() {
        return DISK_BYTES;
    }

    @Override
    protected StartReport run(ClusterRun run) {
        StartBenchmark benchmark = new StartBenchmark(run, rounds.count());
        ifStopped(benchmark::soFar);
        return benchmark.run(new Cabling(cables.kind(), 1));
    }

    @Override
    protected void publish(StartReport report, Console console) {
        page.write(report::toHtml, console);
    }
}
