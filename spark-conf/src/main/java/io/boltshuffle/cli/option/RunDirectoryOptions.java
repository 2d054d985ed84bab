package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.RunDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Says where a run writes, and whether that outlives it; shared by the verbs that start hosts on this machine. */
public final class RunDirectoryOptions {
    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            defaultValue = "${env:TMPDIR:-${sys:java.io.tmpdir}}",
            description = "Where the run writes; a directory of its own is made in it (default: ${DEFAULT-VALUE}).")
    private Path workDirectory = Path.of("");

    @Option(names = "--keep", description = "Keep the run directory with data, logs and metrics.")
    private boolean keep;

    /**
     * Returns a directory with room for so many bytes. The teardown removes it or, if it is to be kept, prints its
     * name.
     */
    public RunDirectory create(long diskBytes, Console console, Teardown teardown) {
        RunDirectory run = RunDirectory.create(workDirectory.toAbsolutePath(), diskBytes, keep, teardown);
        if (keep) {
            teardown.push(() -> console.line("kept: " + run.root()));
        }
        return run;
    }
}
