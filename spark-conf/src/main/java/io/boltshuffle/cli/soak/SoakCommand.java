package io.boltshuffle.cli.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.base.TextOutput;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.option.EmulatorOption;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.RunDirectoryOptions;
import io.boltshuffle.cli.option.SparkOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
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
            "On two hosts of this machine, joined by a virtual cable: one application that lives for as long as the faults "
                    + "do. Every few seconds one of them strikes, is mended, and another follows; the seed says which, where "
                    + "and for how long. Each job's result is compared with what stock Spark gave for it before.",
            "",
            "Every two seconds each process is looked at: resident memory without slab and files, file descriptors, threads, "
                    + "mapped slabs, quarantined memory; and every 15 s the heap after a collection. The agent of the "
                    + "first host, the executor of the last, and the driver live throughout, and are judged after two and "
                    + "a half minutes or more. The first quarter of what was seen is warm-up; of the rest, the median of the "
                    + "last third may exceed that of the first by a fifth, or by 48 MiB of memory, 32 MiB of heap, 24 descriptors, 12 threads, one slab; "
                    + "quarantined memory by nothing.",
            "",
            "Examples: a few minutes, and an hour with every curve on a page:",
            "  bolt soak --minutes 5",
            "  bolt soak --minutes 60 --report soak.html",
            ""
        },
        footer = {
            "",
            "Exits with 1 if a job failed or gave another result, something grew, damage was not found, blocks did not go by "
                    + "RDMA again after the last fault, or an agent held memory in the end."
        })
public final class SoakCommand implements Callable<Integer> {
    private static final long DISK_BYTES = 2L << 30;

    @Option(
            names = "--minutes",
            defaultValue = "5",
            description = "How long faults strike; may be a fraction (default: ${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(names = "--seed", description = "Of faults and jobs (default: another one each time).")
    private @Nullable Long seed;

    @Option(
            names = "--cables",
            defaultValue = "send",
            description =
                    "What joins the hosts: send, by Apple's rules, or read, with RDMA READ (default: ${DEFAULT-VALUE}).")
    private CableKind cables = CableKind.SEND;

    @Option(names = "--report", paramLabel = "FILE", description = "Where to write a page with all curves.")
    private @Nullable Path page;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Override
    public Integer call() {
        if (cables != CableKind.SEND && cables != CableKind.READ) {
            throw BoltException.usage("--cables has to be send or read");
        }
        if (!(minutes > 0 && minutes <= 7 * 24 * 60)) {
            throw BoltException.usage("--minutes is " + minutes + "; it has to be above 0 and at most a week");
        }
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw BoltException.environment("there is no /proc here", "what processes hold is seen on Linux only");
        }
        Console console = Console.standardError();
        Duration faults = Duration.ofMillis((long) (minutes * 60_000));
        Soak.Plan plan = new Soak.Plan(cables, faults, seed == null ? new Random().nextInt(1_000_000) : seed);
        Soak soak = new Soak(spark.find(console), emulator.require(), plan, console);
        SoakReport report;
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory run = runDirectory.create(DISK_BYTES, console, teardown);
            report = soak.run(run, teardown);
        }
        if (page != null) {
            TextOutput.write(page, SoakPage.of(report));
        }
        System.out.println(json.render(report::toJson, report::toText));
        List<String> violations = report.faults();
        violations.forEach(violation -> console.line("bolt: " + violation));
        if (!violations.isEmpty()) {
            console.line("bolt: the same faults again: --seed " + plan.seed());
        }
        return violations.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
