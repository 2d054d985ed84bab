package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.option.CablesOption;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.proof.option.PluginSettingsOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt soak}. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        header = "Runs jobs again and again while cables, agents and executors fail, and looks for what leaks.",
        description = {
            "",
            "On two hosts of this machine, joined by a virtual cable: one application that lives for as long as the "
                    + "faults do. Every few seconds one of them strikes, is mended, and another follows; the seed says "
                    + "which, where and for how long. Each job's result is compared with what stock Spark gave for it "
                    + "before.",
            "",
            "After each fault the time is taken until a block comes by RDMA again, where the next fault does not come "
                    + "first; after one in four, the next waits for that. When none has come for five minutes, the "
                    + "faults end and the soak has failed.",
            "",
            "Every two seconds each process is looked at: resident memory without slab and files, file descriptors, "
                    + "threads, mapped slabs, quarantined memory; and every 15 s the heap after a collection. The "
                    + "agent of the first host, the executor of the last, and the driver live throughout, and are "
                    + "judged after two and a half minutes or more. The first quarter of what was seen is warm-up; of "
                    + "the rest, the median of the last third may exceed that of the first by a fifth, or by 48 MiB of "
                    + "memory, 32 MiB of heap, 24 descriptors, 12 threads, one slab; quarantined memory by nothing.",
            "",
            "Examples: a few minutes, an hour with its tables on a page, and broadcasts and cached partitions by RDMA, "
                    + "too:",
            "  bolt soak --minutes 5",
            "  bolt soak --minutes 60 --report soak.html",
            "  bolt soak --conf spark.boltshuffle.blocks=all",
            ""
        },
        footer = {
            "",
            "Exits with 1 if a job failed or gave another result, something grew, damage was not found, no block came "
                    + "by RDMA for five minutes or after the last fault, or an agent held memory in the end."
        })
public final class SoakCommand extends ClusterCommand {
    private static final long DISK_BYTES = 2L << 30;

    @Option(
            names = "--minutes",
            paramLabel = "MINUTES",
            defaultValue = "5",
            description = "How long faults strike; may be a fraction (default: ${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "Of faults and jobs (default: another one each time).")
    private @Nullable Long seed;

    @Mixin
    private final CablesOption cables = new CablesOption();

    @Mixin
    private final PluginSettingsOption conf = new PluginSettingsOption();

    @Override
    protected void checkOptions() {
        if (!(minutes > 0 && minutes <= 7 * 24 * 60)) {
            throw BoltException.usage("--minutes is " + minutes + "; it has to be above 0 and at most a week");
        }
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw BoltException.environment("there is no /proc here", "what processes hold is seen on Linux only");
        }
    }

    @Override
    protected long diskBytes() {
        return DISK_BYTES;
    }

    @Override
    protected Report run(ClusterRun run) {
        long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
        Duration faults = Duration.ofMillis((long) (minutes * 60_000));
        Report report = new Soak(run, new Soak.Plan(cables.kind(), faults, chosen, conf.values())).run();
        if (!report.faults().isEmpty()) {
            run.console().line("the same faults again: --seed " + chosen);
        }
        return report;
    }
}
