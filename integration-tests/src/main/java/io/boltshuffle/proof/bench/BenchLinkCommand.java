package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.option.EmulatorOption;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.rdma.link.LinkMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench link}. */
@Command(
        name = "link",
        mixinStandardHelpOptions = true,
        header = "What Java costs on a link, beside the same in C.",
        description = {
            "",
            "Joins two JVMs of this machine by a virtual cable and moves 1 MiB messages and 4 KiB round trips, by "
                    + "turns with a program in C that does the same. The CPU time of the virtual cable's own threads, "
                    + "which hardware would not need, is not counted. Numbers from a machine that does other work say "
                    + "little.",
            "",
            "Ends with status 1 if a figure misses its limit.",
            "",
            "Example:",
            "  bolt bench link --mode send --rounds 1 --seconds 1",
            ""
        })
final class BenchLinkCommand implements Callable<Integer> {
    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "send or read only (default: both, one after the other).")
    private @Nullable LinkMode mode;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "How long a stream is measured (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private final RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        rounds.check();
        if (seconds < 1) {
            throw BoltException.usage("--seconds is " + seconds + "; it has to be 1 or more");
        }
        Console console = Console.standardError();
        LinkBench bench = new LinkBench(emulator.require(), seconds, console);
        List<Report> reports = new ArrayList<>();
        for (LinkMode each : mode == null ? List.of(LinkMode.SEND, LinkMode.READ) : List.of(mode)) {
            Report report = bench.run(each, rounds.count());
            reports.add(report);
            if (!json.chosen()) {
                console.clearStatus();
                System.out.println(report.toText() + System.lineSeparator());
            }
        }
        if (json.chosen()) {
            console.clearStatus();
            System.out.println(Json.write(reports.stream().map(Report::toJson).toList()));
        }
        return reports.stream().allMatch(report -> report.faults().isEmpty()) ? ExitCode.OK : ExitCode.FAILED;
    }
}
