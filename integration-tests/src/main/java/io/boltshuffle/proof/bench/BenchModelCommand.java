package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.option.ByteSize;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.proof.bench.model.CpuCosts;
import io.boltshuffle.proof.bench.model.ModelReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt bench model}. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        header = "A prediction for 2 to 4 Macs, from measured CPU and published cable speeds.",
        description = {
            "",
            "This project has no Macs to measure on. The command computes what the figures of 'bolt bench fetch' "
                    + "and public measurements of the cables lead to, against TCP over the same cable and over 10 GbE, "
                    + "and lists its assumptions.",
            "",
            "Example:",
            "  bolt bench fetch --quick --json > fetch.json",
            "  bolt bench model --figures fetch.json --size 100g --cores 10",
            ""
        })
final class BenchModelCommand implements Callable<Integer> {
    private static final int MOST_CORES = 256;

    @Option(
            names = "--figures",
            paramLabel = "FILE",
            required = true,
            description = "What 'bolt bench fetch --json' printed; with blocks of 1 MiB and sending cables.")
    private Path figures = Path.of("");

    @Option(
            names = "--size",
            converter = ByteSize.Converter.class,
            defaultValue = "100g",
            description = "Bytes of the shuffle, of all hosts together (default: ${DEFAULT-VALUE}).")
    private ByteSize size = new ByteSize(100L << 30);

    @Option(
            names = "--cores",
            defaultValue = "10",
            description = "Cores of each host that may work for the shuffle (default: ${DEFAULT-VALUE}).")
    private int cores;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (cores < 1 || cores > MOST_CORES) {
            throw BoltException.usage("--cores is " + cores + "; it has to be 1 to " + MOST_CORES);
        }
        ModelReport report = new ModelReport(size.bytes() / 1e9, cores, CpuCosts.ofFetchReport(figures));
        System.out.println(json.render(report::toJson, report::toText));
        return ExitCode.OK;
    }
}
