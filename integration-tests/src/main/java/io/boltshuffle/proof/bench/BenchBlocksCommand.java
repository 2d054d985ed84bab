package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.proof.bench.blocks.BlocksBenchmark;
import io.boltshuffle.proof.bench.blocks.BlocksScale;
import io.boltshuffle.proof.bench.network.NetworkOptions;
import io.boltshuffle.proof.option.PluginSettingsOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench blocks}. */
@Command(
        name = "blocks",
        mixinStandardHelpOptions = true,
        header = "What broadcasts, cached partitions and results cost on their way to another host.",
        description = {
            "",
            "Two hosts on this machine, joined by a virtual cable; the driver runs on one of them. The same "
                    + "application is run with stock Spark and with spark.boltshuffle.blocks=all by turns. Numbers "
                    + "from a machine that does other work say little.",
            "",
            "Example, two minutes:",
            "  bolt bench blocks --quick --json > blocks.json",
            "",
            "With a network as wide next to a host's cores as that of a desk, as root on Linux:",
            "  bolt bench blocks --like mac:14c,10g",
            ""
        })
final class BenchBlocksCommand extends ClusterCommand {
    private static final int MOST_BYTES = 256 << 20;
    private static final long DISK_BYTES = 2L << 30;
    private static final ClusterSpec HOSTS = ClusterSpec.sharing(2, "2048m");
    private static final BlocksScale QUICK = new BlocksScale(List.of(64 << 10, 16 << 20), 32 << 20, 16 << 20, 1, 2, 10);
    private static final BlocksScale FULL =
            new BlocksScale(List.of(16 << 10, 64 << 10, 1 << 20, 64 << 20, 256 << 20), 256 << 20, 128 << 20, 3, 4, 100);

    @Option(
            names = "--broadcast",
            split = ",",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Sizes of broadcasts (default: 16k,64k,1m,64m,256m).")
    private @Nullable List<ByteSize> broadcasts;

    @Option(
            names = "--cached",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "How much is cached on one host and read on the other (default: 256m).")
    private @Nullable ByteSize cached;

    @Option(
            names = "--result",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "The result that the driver collects; up to 1 MiB it comes without a block of its own "
                    + "(default: 128m).")
    private @Nullable ByteSize result;

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            description = "Applications of each of the two, by turns (default: 3).")
    private @Nullable Integer rounds;

    @Option(names = "--quick", description = "Smaller sizes, one application of each: to see that it works.")
    private boolean quick;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Mixin
    private final NetworkOptions network = new NetworkOptions();

    @Override
    protected void checkOptions() {
        if (scale().rounds() < 1) {
            throw BoltException.usage("--rounds is " + scale().rounds() + "; it has to be 1 or more");
        }
        network.check(HOSTS);
    }

    @Override
    protected long diskBytes() {
        return DISK_BYTES;
    }

    @Override
    protected Report run(ClusterRun run) {
        JoinedCluster cluster = network.start(run, HOSTS, cables.kind(), conf.values());
        BlocksBenchmark benchmark = new BlocksBenchmark(cluster, network.held(HOSTS), scale(), conf.values());
        ifStopped(benchmark::soFar);
        return benchmark.run();
    }

    private BlocksScale scale() {
        BlocksScale preset = quick ? QUICK : FULL;
        return new BlocksScale(
                broadcasts == null
                        ? preset.broadcastBytes()
                        : broadcasts.stream()
                                .map(size -> bytes("--broadcast", size))
                                .toList(),
                cached == null ? preset.cachedBytes() : bytes("--cached", cached),
                result == null ? preset.resultBytes() : bytes("--result", result),
                rounds == null ? preset.rounds() : rounds,
                preset.repeats(),
                preset.smallRepeats());
    }

    private static int bytes(String option, ByteSize size) {
        if (size.bytes() < 1 << 10 || size.bytes() > MOST_BYTES) {
            throw BoltException.usage(option + " is " + size.bytes() + " bytes; it has to be 1k to 256m");
        }
        return (int) size.bytes();
    }
}
