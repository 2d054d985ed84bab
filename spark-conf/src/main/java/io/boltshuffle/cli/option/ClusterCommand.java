package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * A verb that runs Spark on hosts of this machine, joined by virtual cables, and reports the results.
 *
 * @param <R> the report
 */
public abstract class ClusterCommand<R extends ClusterCommand.Report> implements Callable<Integer> {
    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    /** The results of a run. */
    public interface Report {
        String toText();

        Object toJson();

        /** Returns what is wrong, one line each. If there is any, the verb ends with status 1. */
        List<String> faults();
    }

    /** Throws if the command line asks for something impossible. It is called before anything is started. */
    protected abstract void checkOptions();

    /** Returns the most that a run writes, in bytes. */
    protected abstract long diskBytes();

    protected abstract R run(ClusterRun run);

    /** Handles the report besides printing it, once nothing runs any more. */
    protected void publish(R report, Console console) {}

    @Override
    public final Integer call() {
        checkOptions();
        Console console = Console.standardError();
        Installation installation = Installation.current();
        Path library = emulator.require();
        SparkRuntime runtime = spark.find(console);
        R report;
        try (Teardown teardown = Teardown.hooked()) {
            report = run(new ClusterRun(
                    runtime,
                    installation,
                    library,
                    runDirectory.create(diskBytes(), console, teardown),
                    console,
                    teardown));
        }
        publish(report, console);
        System.out.println(json.render(report::toJson, report::toText));
        List<String> faults = report.faults();
        faults.forEach(fault -> console.line("bolt: " + fault));
        return faults.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
