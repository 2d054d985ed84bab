package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.proof.bench.inspark.write.RecordKind;
import io.boltshuffle.proof.bench.inspark.write.WritePlan;
import io.boltshuffle.proof.bench.inspark.write.WriteShape;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
            "Records are repartitioned by hash without a network: many small map tasks, few large ones, narrow "
                    + "records and wide ones; rows of SQL and objects of an RDD, which Kryo serializes. The writers "
                    + "take turns, each in a process of its own: stock as it comes, stock with "
                    + "spark.shuffle.sort.bypassMergeThreshold=1, and boltshuffle. Numbers from a machine that does "
                    + "other work say little.",
            "",
            "Examples: a minute, one on another disk, and one in which writers spill:",
            "  bolt bench write --rows 2 --codec lz4 --rounds 1",
            "  bolt bench write --rounds 5 --local-dir scratch",
            "  bolt bench write --codec lz4 --execution-memory 24m",
            ""
        })
final class BenchWriteCommand extends ClusterCommand {
    /** The most that a run with all rows writes: a row of the widest shape, written twice. */
    private static final long MOST_BYTES = 2L << 30;

    private static final long LEAST_EXECUTION_BYTES = 4L << 20;
    /** Spark refuses to start with much less. */
    private static final long LEAST_HEAP_BYTES = 512L << 20;
    /** The part of any heap that Spark leaves alone. */
    private static final long RESERVED_BYTES = 300L << 20;

    @Option(
            names = "--rows",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description = "Of the 2 to 20 million records of each case (default: ${DEFAULT-VALUE}).")
    private int percent;

    @Option(
            names = "--objects",
            split = ",",
            paramLabel = "KIND",
            defaultValue = "sql,kryo",
            description = "What the records are: sql, which are rows of Spark SQL, kryo, which are small objects of an "
                    + "RDD, or both (default: ${DEFAULT-VALUE}).")
    private Set<RecordKind> records = EnumSet.noneOf(RecordKind.class);

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
            converter = ByteSize.Converter.class,
            description = "Heap of the process, at least 512m (default: ${DEFAULT-VALUE}).")
    private ByteSize memory = new ByteSize(3L << 30);

    @Option(
            names = "--execution-memory",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Of the heap, what Spark shares out to the tasks that run at a time, at least 4m and half of "
                    + "the heap above 300m at most; with little, writers spill (default: three fifths of that heap, "
                    + "as Spark has it).")
    private @Nullable ByteSize executionMemory;

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
        if (memory.bytes() < LEAST_HEAP_BYTES) {
            throw BoltException.usage("--memory is " + ByteFigures.bytes(memory.bytes()) + "; it has to be "
                    + ByteFigures.bytes(LEAST_HEAP_BYTES) + " or more");
        }
        if (executionMemory != null
                && (executionMemory.bytes() < LEAST_EXECUTION_BYTES
                        || executionMemory.bytes() > (memory.bytes() - RESERVED_BYTES) / 2)) {
            throw BoltException.usage("--execution-memory is " + ByteFigures.bytes(executionMemory.bytes())
                    + "; it has to be " + ByteFigures.bytes(LEAST_EXECUTION_BYTES) + " to "
                    + ByteFigures.bytes((memory.bytes() - RESERVED_BYTES) / 2));
        }
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
    protected Report run(ClusterRun run) {
        Path local = localDirectory == null ? run.directory().directory("local") : localDirectory.toAbsolutePath();
        WriteBenchmark benchmark = new WriteBenchmark(run);
        ifStopped(benchmark::soFar);
        return benchmark.run(
                writer -> new WritePlan(
                        shapes(),
                        codecs,
                        writer,
                        local.toString(),
                        executionMemory == null ? 0 : executionMemory.bytes()),
                rounds.count(),
                (memory.bytes() >> 20) + "m");
    }

    private List<WriteShape> shapes() {
        return Stream.of(
                        new WriteShape(RecordKind.SQL, 200, 200, 2_000_000, 2),
                        new WriteShape(RecordKind.SQL, 8, 200, 20_000_000, 2),
                        new WriteShape(RecordKind.SQL, 8, 4, 20_000_000, 2),
                        new WriteShape(RecordKind.SQL, 8, 200, 4_000_000, 13),
                        new WriteShape(RecordKind.SQL, 8, 4, 4_000_000, 13),
                        new WriteShape(RecordKind.KRYO, 200, 200, 2_000_000, 4),
                        new WriteShape(RecordKind.KRYO, 8, 200, 10_000_000, 4),
                        new WriteShape(RecordKind.KRYO, 8, 4, 10_000_000, 4))
                .filter(shape -> records.contains(shape.records()))
                .map(shape -> shape.percent(percent))
                .toList();
    }
}
