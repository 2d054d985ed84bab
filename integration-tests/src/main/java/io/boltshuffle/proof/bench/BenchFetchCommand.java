package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.baseline.BaselineOption;
import io.boltshuffle.proof.bench.fetch.FetchBenchmark;
import io.boltshuffle.proof.bench.fetch.FetchScale;
import io.boltshuffle.proof.bench.network.HostPath;
import io.boltshuffle.proof.option.PluginSettingsOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench fetch}. */
@Command(
        name = "fetch",
        mixinStandardHelpOptions = true,
        header = "What fetching shuffle blocks costs, by Netty and by boltshuffle, per byte and per request.",
        description = {
            "",
            "Two hosts on this machine, joined by a virtual cable. The executor of one fetches blocks of real shuffle "
                    + "files of the other, by Spark's client and by the plugin's by turns, as fast as it can. The "
                    + "bytes of both are compared first. Numbers from a machine that does other work say little.",
            "",
            "Example, a minute:",
            "  bolt bench fetch --quick --json > fetch.json",
            "",
            "Where the time of one fetch goes, step by step and thread by thread:",
            "  bolt bench fetch --trace --cables send",
            "",
            "Against Netty in more ways than it comes, and over more than loopback, which flatters TCP:",
            "  bolt bench fetch --baseline nio,connections-4 --path loopback,veth-1500",
            ""
        })
final class BenchFetchCommand extends ClusterCommand {
    private static final int HOSTS = 2;
    private static final int TRACED_BYTES = 32 << 10;
    private static final FetchScale QUICK =
            new FetchScale(List.of(32 << 10, 1 << 20), List.of(4), 1, 1_000, 500, 32L << 20, false);
    private static final FetchScale FULL = new FetchScale(
            List.of(4 << 10, 32 << 10, 128 << 10, 1 << 20, 16 << 20),
            List.of(1, 4, 16),
            3,
            5_000,
            2_000,
            128L << 20,
            false);

    @Option(
            names = "--block-size",
            split = ",",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Sizes of blocks, which are up to a sixteenth smaller (default: 4k,32k,128k,1m,16m).")
    private @Nullable List<ByteSize> blockSizes;

    @Option(
            names = "--fetchers",
            split = ",",
            paramLabel = "COUNT",
            description = "Requests under way at once (default: 1,4,16).")
    private @Nullable List<Integer> fetchers;

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            description = "Measurements of each kind by each of the two (default: 3).")
    private @Nullable Integer rounds;

    @Option(
            names = "--cables",
            split = ",",
            paramLabel = "KIND",
            defaultValue = "send,read",
            description = "Kinds of cables, one after the other: send by Apple's rules, read with RDMA READ (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<CableKind> cables = List.of();

    @Option(
            names = "--path",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "loopback",
            description = "What carries TCP between the hosts, one after the other: ${COMPLETION-CANDIDATES}. veth "
                    + "joins two network namespaces with that MTU, which needs root on Linux; without offloads, the "
                    + "kernel cuts and sums each packet, which needs ethtool. What this machine cannot have is skipped "
                    + "with the reason (default: ${DEFAULT-VALUE}).")
    private List<HostPath> paths = List.of();

    @Mixin
    private final BaselineOption baselines = new BaselineOption();

    @Option(names = "--quick", description = "Fewer sizes, shorter measurements, one of each: to see that it works.")
    private boolean quick;

    @Option(
            names = "--trace",
            description = "Fetch one block at a time, and print each step of the fetch that took the median time, with"
                    + " its thread (default for --block-size: 32k).")
    private boolean trace;

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Override
    protected void checkOptions() {
        if (trace && (fetchers != null || rounds != null || (blockSizes != null && blockSizes.size() > 1))) {
            throw BoltException.usage(
                    "--trace follows one block at a time, of one --block-size; without --fetchers" + " and --rounds");
        }
        FetchScale scale = scale();
        if (scale.rounds() < 1) {
            throw BoltException.usage("--rounds is " + scale.rounds() + "; it has to be 1 or more");
        }
        if (scale.fetchers().stream().anyMatch(count -> count < 1 || count > 256)) {
            throw BoltException.usage("--fetchers is " + scale.fetchers() + "; each has to be 1 to 256");
        }
        if (cables.stream().anyMatch(kind -> kind != CableKind.SEND && kind != CableKind.READ)) {
            throw BoltException.usage("--cables has to be send, read or both");
        }
        baselines.check();
    }

    @Override
    protected long diskBytes() {
        return scale().diskBytes(HOSTS) * cables.size();
    }

    @Override
    protected Report run(ClusterRun run) {
        FetchBenchmark benchmark = new FetchBenchmark(run, scale(), conf.values());
        ifStopped(benchmark::soFar);
        return benchmark.run(cables, paths, withDefault(baselines.besidesDefault()));
    }

    private static List<Baseline> withDefault(List<Baseline> others) {
        return Stream.concat(Stream.of(Baseline.DEFAULT), others.stream()).toList();
    }

    private FetchScale scale() {
        FetchScale preset = quick ? QUICK : FULL;
        if (trace) {
            int block = blockSizes == null ? TRACED_BYTES : blockBytes(blockSizes.get(0));
            return FetchScale.traced(block, preset.warmUpMillis(), preset.measureMillis(), QUICK.hostBytes());
        }
        return new FetchScale(
                blockSizes == null
                        ? preset.blockBytes()
                        : blockSizes.stream().map(BenchFetchCommand::blockBytes).toList(),
                fetchers == null ? preset.fetchers() : fetchers,
                rounds == null ? preset.rounds() : rounds,
                preset.warmUpMillis(),
                preset.measureMillis(),
                preset.hostBytes(),
                false);
    }

    private static int blockBytes(ByteSize size) {
        if (size.bytes() < 1 << 10 || size.bytes() > 64 << 20) {
            throw BoltException.usage("--block-size is " + size.bytes() + " bytes; it has to be 1k to 64m");
        }
        return (int) size.bytes();
    }
}
