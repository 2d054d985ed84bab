package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.cli.option.ReportOption;
import io.boltshuffle.proof.bench.compare.Cut;
import io.boltshuffle.proof.bench.scale.ScaleBenchmark;
import io.boltshuffle.proof.bench.scale.ScalePlan;
import io.boltshuffle.proof.bench.scale.ScaleReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench scale}. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        header = "What node agents hold as hosts, cables and blocks become more, and what they cost at rest.",
        description = {
            "",
            "One cluster after the other on this machine, any two of its hosts joined by virtual cables. Its agents "
                    + "are looked at before any application, while few and while many blocks move, and at rest "
                    + "afterwards.",
            "",
            "Ends with status 1 if an agent holds more for more blocks, if what it holds grows faster than its peers, "
                    + "or if it takes 100 MB beside the slab, or 1 %% of a core, at rest.",
            "",
            "Examples: a minute, and all of it, in five:",
            "  bolt bench scale --hosts 2 --cables-per-pair 1 --size 64m",
            "  bolt bench scale --report scale.html",
            ""
        })
final class BenchScaleCommand extends ClusterCommand<ScaleReport> {
    private static final int MOST_HOSTS = 8;
    private static final int MOST_CABLES = 3;

    @Option(
            names = "--hosts",
            split = ",",
            paramLabel = "COUNT",
            defaultValue = "2,3,4",
            description = "Hosts of each cluster (default: ${DEFAULT-VALUE}).")
    private List<Integer> hosts = List.of();

    @Option(
            names = "--cables-per-pair",
            split = ",",
            paramLabel = "COUNT",
            defaultValue = "1,2",
            description = "Cables between any two hosts of each cluster (default: ${DEFAULT-VALUE}).")
    private List<Integer> cablesPerPair = List.of();

    @Option(
            names = "--size",
            converter = ByteSize.Converter.class,
            defaultValue = "256m",
            description = "Bytes in each shuffle (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(1L << 28);

    @Option(
            names = "--few",
            paramLabel = "MAPSxREDUCERS",
            converter = Cut.Converter.class,
            defaultValue = "8x8",
            description = "Tasks that write and that read few blocks (default: ${DEFAULT-VALUE}).")
    private Cut few = new Cut(8, 8);

    @Option(
            names = "--many",
            paramLabel = "MAPSxREDUCERS",
            converter = Cut.Converter.class,
            defaultValue = "64x64",
            description = "Tasks that write and that read many blocks (default: ${DEFAULT-VALUE}).")
    private Cut many = new Cut(64, 64);

    @Option(
            names = "--reads",
            defaultValue = "3",
            description = "Times that each shuffle is read (default: ${DEFAULT-VALUE}).")
    private int reads;

    @Option(
            names = "--rest",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long agents are watched at rest (default: ${DEFAULT-VALUE}).")
    private int restSeconds;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final ReportOption page = new ReportOption();

    @Override
    protected void checkOptions() {
        if (hosts.stream().anyMatch(count -> count < 2 || count > MOST_HOSTS)) {
            throw BoltException.usage("--hosts is " + hosts + "; each has to be 2 to " + MOST_HOSTS);
        }
        if (cablesPerPair.stream().anyMatch(count -> count < 1 || count > MOST_CABLES)) {
            throw BoltException.usage("--cables-per-pair is " + cablesPerPair + "; each has to be 1 to " + MOST_CABLES);
        }
        if (reads < 1 || restSeconds < 1) {
            throw BoltException.usage("--reads and --rest have to be 1 or more");
        }
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw BoltException.environment("there is no /proc here", "what processes hold is seen on Linux only");
        }
    }

    @Override
    protected long diskBytes() {
        return plan().diskBytes();
    }

    @Override
    protected ScaleReport run(ClusterRun run) {
        ScaleBenchmark benchmark = new ScaleBenchmark(run, plan());
        ifStopped(benchmark::soFar);
        return benchmark.run();
    }

    @Override
    protected void publish(ScaleReport report, Console console) {
        page.write(report::toHtml, console);
    }

    private ScalePlan plan() {
        return new ScalePlan(
                cables.kind(), hosts, cablesPerPair, size.bytes(), few, many, reads, Duration.ofSeconds(restSeconds));
    }
}
