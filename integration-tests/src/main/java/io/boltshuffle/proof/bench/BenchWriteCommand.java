package io.boltshuffle.proof.bench;

import io.boltshuffle.bench.WritePlan;
import io.boltshuffle.bench.WriteShape;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.ClusterCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench write}. */
@Command(
        name = "write",
        mixinStandardHelpOptions = true,
        header = "What writing a shuffle costs, with each of Spark's writers and with boltshuffle's.",
        description = {
            "",
            "Rows are repartitioned by hash in one process, without a network: many small map tasks, few large ones, "
                    + "narrow rows and wide ones. The writers take turns. Numbers from a machine that does other work "
                    + "say little.",
            "",
            "Examples: a minute, and one on another disk:",
            "  bolt bench write --rows 2 --codec lz4 --rounds 1",
            "  bolt bench write --rounds 5 --local-dir scratch",
            ""
        })
final class BenchWriteCommand extends ClusterCommand<WriteReport> {
    /** The most that a run with all rows writes: a row of the widest shape, written twice. */
    private static final long MOST_BYTES = 2L << 30;

    @Option(
            names = "--rows",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description = "Of the 2 to 20 million rows of each case (default: ${DEFAULT-VALUE}).")
    private int percent;

    @Option(
            names = "--codec",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "lz4,zstd,none",
            description = "Of what is shuffled: lz4, zstd, snappy or none (default: ${DEFAULT-VALUE}).")
    private List<String> codecs = List.of();

    @Mixin
    private final RoundsOption rounds = new RoundsOption(5);

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "3g",
            description =
                    "Heap of the process, as Spark takes it; with little, writers spill (default: ${DEFAULT-VALUE}).")
    private String memory = "3g";

    @Option(
            names = "--local-dir",
            paramLabel = "DIR",
            description = "Where Spark writes, as on a disk or in memory (default: below the directory of the run).")
    private @Nullable Path localDirectory;

    @Override
    protected void checkOptions() {
        if (percent < 1 || percent > 1_000) {
            throw BoltException.usage("--rows is " + percent + "; it has to be 1 to 1000");
        }
        rounds.check();
        if (!List.of("lz4", "zstd", "snappy", "none").containsAll(codecs)) {
            throw BoltException.usage(
                    "--codec is " + String.join(",", codecs) + "; it has to be of lz4, zstd, snappy, none");
        }
    }

    @Override
    protected long diskBytes() {
        return MOST_BYTES * Math.max(percent, 1) / 100;
    }

    @Override
    protected WriteReport run(ClusterRun run) {
        Path local = localDirectory == null ? run.directory().directory("local") : localDirectory.toAbsolutePath();
        return WriteBenchmark.run(run, new WritePlan(shapes(), codecs, rounds.count(), local.toString()), memory);
    }

    private List<WriteShape> shapes() {
        return Stream.of(
                        new WriteShape(200, 200, 2_000_000, 2),
                        new WriteShape(8, 200, 20_000_000, 2),
                        new WriteShape(8, 4, 20_000_000, 2),
                        new WriteShape(8, 200, 4_000_000, 13),
                        new WriteShape(8, 4, 4_000_000, 13))
                .map(shape ->
                        new WriteShape(shape.maps(), shape.partitions(), shape.rows() * percent / 100, shape.longs()))
                .toList();
    }
}
