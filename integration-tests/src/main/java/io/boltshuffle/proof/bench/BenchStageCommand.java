package io.boltshuffle.proof.bench;

import io.boltshuffle.bench.StageOperation;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.JoinedCluster;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.cli.option.ClusterOptions;
import io.boltshuffle.cli.option.ReportOption;
import io.boltshuffle.proof.bench.baseline.BaselineOption;
import io.boltshuffle.proof.bench.compare.ComparisonReport;
import io.boltshuffle.proof.bench.compare.Contender;
import io.boltshuffle.proof.bench.compare.Cut;
import io.boltshuffle.proof.bench.compare.StageBenchmark;
import io.boltshuffle.proof.bench.compare.StageScale;
import io.boltshuffle.proof.bench.network.NetworkOptions;
import io.boltshuffle.proof.option.PluginSettingsOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench stage}. */
@Command(
        name = "stage",
        mixinStandardHelpOptions = true,
        header = "What reading a shuffle costs as a stage, with stock Spark and with boltshuffle.",
        description = {
            "",
            "Two or more hosts on this machine, joined by virtual cables. Each application writes one shuffle and "
                    + "reads it several times, counting rows or sorting them; the two shuffles take turns on the same "
                    + "rows. Numbers from a machine that does other work say little.",
            "",
            "Ends with status 1 if the aim is missed, which is printed, or if rows or their order are wrong.",
            "",
            "Examples: half a minute, and a long one of a million blocks:",
            "  bolt bench stage --size 64m --cut 20x20 --operation sort --rounds 1",
            "  bolt bench stage --size 8g --cut 1000x1000 --report stage.html",
            "",
            "With a network as wide next to a host's cores as that of a desk, as root on Linux:",
            "  bolt bench stage --like mac:14c,10g",
            ""
        })
final class BenchStageCommand extends ClusterCommand<ComparisonReport> {
    @Option(
            names = "--size",
            converter = ByteSize.Converter.class,
            defaultValue = "1g",
            description = "Bytes in each shuffle (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(1L << 30);

    @Option(
            names = "--cut",
            split = ",",
            paramLabel = "MAPSxREDUCERS",
            converter = Cut.Converter.class,
            defaultValue = "8x8,200x200",
            description = "Tasks that write and that read: few large blocks, or many small ones (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<Cut> cuts = List.of();

    @Option(
            names = "--operation",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "repartition,sort",
            description = "What to do with the rows: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<StageOperation> operations = List.of();

    @Mixin
    private final BaselineOption baselines = new BaselineOption();

    @Mixin
    private final RoundsOption rounds = new RoundsOption(3);

    @Option(
            names = "--reads",
            defaultValue = "3",
            description = "Reads that count in each application (default: ${DEFAULT-VALUE}).")
    private int reads;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Mixin
    private final NetworkOptions network = new NetworkOptions();

    @Mixin
    private final ReportOption page = new ReportOption();

    @Override
    protected void checkOptions() {
        rounds.check();
        baselines.check();
        if (reads < 1) {
            throw BoltException.usage("--reads is " + reads + "; it has to be 1 or more");
        }
        network.check(cluster.spec());
    }

    @Override
    protected long diskBytes() {
        return scale().diskBytes();
    }

    @Override
    protected ComparisonReport run(ClusterRun run) {
        JoinedCluster joined = network.start(run, cluster.spec(), cables.kind(), conf.values());
        StageBenchmark benchmark = new StageBenchmark(joined, network.held(cluster.spec()), scale());
        ifStopped(benchmark::soFar);
        return benchmark.run();
    }

    @Override
    protected void publish(ComparisonReport report, Console console) {
        page.write(report::toHtml, console);
    }

    private StageScale scale() {
        return new StageScale(
                size.bytes(),
                operations,
                cuts,
                rounds.count(),
                reads,
                Contender.all(false, baselines.besidesDefault()));
    }
}
