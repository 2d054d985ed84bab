package io.boltshuffle.cli.savings;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.base.TextOutput;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.savings.log.EventLogReader;
import io.boltshuffle.cli.savings.model.Network;
import io.boltshuffle.cli.savings.model.SavingsModel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code bolt savings}. */
@Command(
        name = "savings",
        mixinStandardHelpOptions = true,
        header = "Estimates from event logs of your jobs, run without the plugin, what the plugin would save.",
        description = {
            "",
            "Reads the logs that Spark writes with spark.eventLog.enabled=true: plain, rolled or compressed ones, of "
                    + "jobs that ended or not. Nothing is installed or run; a Spark is looked for, and fetched if "
                    + "there is none, only to read compressed logs.",
            "",
            "For each stage you see what tasks waited for blocks and wrote, and which part of it would be saved. That "
                    + "is an estimate, with a low and a high end; the assumptions are printed.",
            "",
            "Examples:",
            "  bolt savings my-event-logs",
            "  bolt savings my-event-logs --network 1g --html savings.html",
            "  bolt savings my-event-logs --json",
            ""
        })
public final class SavingsCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "EVENTLOG",
            description = "Event logs, or directories of them: what spark.eventLog.dir names.")
    private List<Path> places = List.of();

    @Option(
            names = "--network",
            paramLabel = "NETWORK",
            defaultValue = "10g",
            converter = NetworkConverter.class,
            description = "What the jobs ran on: 1g, 2.5g, 10g or any other number of Gbit/s, bridge (TCP over "
                    + "Thunderbolt) or loopback (hosts of one machine); what they would gain on the others is shown, "
                    + "too (default: ${DEFAULT-VALUE}, with which the estimate is lower than with a slower one).")
    private Network network = Network.TEN_GIGABIT;

    @Option(
            names = "--cable",
            paramLabel = "CABLE",
            defaultValue = "tb5",
            converter = NetworkConverter.class,
            description = "What blocks would take: tb5 (Thunderbolt 5), or a number of Gbit/s such as 40g (default: "
                    + "${DEFAULT-VALUE}).")
    private Network cable = Network.THUNDERBOLT_5;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page, too.")
    private @Nullable Path page;

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Override
    public Integer call() {
        if (cable.equals(Network.LOOPBACK)) {
            throw BoltException.usage("--cable is loopback, which is no cable");
        }
        Console console = Console.standardError();
        EventLogReader reader = new EventLogReader(() -> spark.find(console), console);
        SavingsModel model = new SavingsModel(network, cable);
        Report report = Savings.of(
                        model, reader.read(places).stream().map(model::estimate).toList())
                .report();
        command.commandLine().getOut().println(json.render(report::toJson, report::toText));
        if (page != null) {
            TextOutput.write(page, report.toHtml());
            console.line("page: " + page);
        }
        return ExitCode.OK;
    }

    /** Names the known links if another is asked for. */
    static final class NetworkConverter implements ITypeConverter<Network> {
        @Override
        public Network convert(String text) {
            return Network.of(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text
                            + "' is none of 1g, 2.5g, 10g, bridge, loopback, tb5 or a number of Gbit/s such as 25g"));
        }
    }
}
