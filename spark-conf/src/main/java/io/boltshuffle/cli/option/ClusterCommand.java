package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that runs Spark on hosts of this machine, joined by virtual cables, and reports the results. */
public abstract class ClusterCommand implements Callable<Integer> {
    @Mixin
    private final ReportOption page = new ReportOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final RunDirectoryOptions runDirectory = new RunDirectoryOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Mixin
    private final EmulatorOption emulator = new EmulatorOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec command;

    private volatile Supplier<Optional<Report>> soFar = Optional::empty;
    private volatile boolean finished;

    /** Throws if the command line asks for something impossible. It is called before anything is started. */
    protected abstract void checkOptions();

    /** Returns the most that a run writes, in bytes. */
    protected abstract long diskBytes();

    protected abstract Report run(ClusterRun run);

    /**
     * Says how to get the report of what has been measured so far. It is printed if the run is told to stop, or fails,
     * so that hours of measuring are not lost: after the processes of the run have ended, and before its directory is
     * removed. It is marked as unfinished.
     *
     * @param report returns it, or nothing as long as nothing was measured; called on any thread, while {@link #run}
     *     may still be under way
     */
    protected final void ifStopped(Supplier<Optional<Report>> report) {
        soFar = report;
    }

    @Override
    public final Integer call() {
        checkOptions();
        Console console = Console.standardError();
        Installation installation = Installation.current();
        Path library = emulator.require();
        SparkRuntime runtime = spark.find(console);
        Report report;
        try (Teardown teardown = Teardown.hooked()) {
            RunDirectory directory = runDirectory.create(diskBytes(), console, teardown);
            teardown.push(() -> tellUnfinished(runtime, console));
            report = run(new ClusterRun(runtime, installation, library, directory, console, teardown));
            finished = true;
        }
        page.write(report::toHtml, console);
        System.out.println(json.render(() -> document(report, runtime, false), report::toText));
        List<String> faults = report.faults();
        faults.forEach(fault -> console.line("bolt: " + fault));
        return faults.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void tellUnfinished(SparkRuntime runtime, Console console) {
        if (finished) {
            return;
        }
        soFar.get().ifPresent(report -> {
            console.line("bolt: the run did not come to its end; this is what it had measured");
            page.write(report::toHtml, console);
            System.out.println(json.render(
                    () -> document(report, runtime, true),
                    () -> "UNFINISHED: the run did not come to its end" + System.lineSeparator() + report.toText()));
        });
    }

    /** Returns the report's JSON with what it takes to repeat the run. */
    private Map<String, Object> document(Report report, SparkRuntime runtime, boolean unfinished) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("command", CommandWords.of(command));
        document.put("spark", runtime.release());
        document.put("unfinished", unfinished);
        document.putAll(report.toJson());
        return document;
    }
}
