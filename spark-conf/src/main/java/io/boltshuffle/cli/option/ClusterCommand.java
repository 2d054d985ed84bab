package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
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

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec command;

    private volatile Supplier<Optional<R>> soFar = Optional::empty;
    private volatile boolean finished;

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

    /**
     * Says how to get the report of what has been measured so far. It is printed if the run is told to stop, or fails,
     * so that hours of measuring are not lost: after the processes of the run have ended, and before its directory is
     * removed. It is marked as unfinished.
     *
     * @param report returns it, or nothing as long as nothing was measured; called on any thread, while {@link #run}
     *     may still be under way
     */
    protected final void ifStopped(Supplier<Optional<R>> report) {
        soFar = report;
    }

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
            RunDirectory directory = runDirectory.create(diskBytes(), console, teardown);
            teardown.push(() -> tellUnfinished(runtime, console));
            report = run(new ClusterRun(runtime, installation, library, directory, console, teardown));
            finished = true;
        }
        publish(report, console);
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
            publish(report, console);
            System.out.println(json.render(
                    () -> document(report, runtime, true),
                    () -> "UNFINISHED: the run did not come to its end" + System.lineSeparator() + report.toText()));
        });
    }

    /** Returns the report's JSON with what it takes to repeat the run. */
    private Object document(R report, SparkRuntime runtime, boolean unfinished) {
        if (!(report.toJson() instanceof Map<?, ?> figures)) {
            return report.toJson();
        }
        Map<Object, Object> document = new LinkedHashMap<>();
        document.put("command", CommandWords.of(command));
        document.put("spark", runtime.release());
        document.put("unfinished", unfinished);
        document.putAll(figures);
        return document;
    }
}
