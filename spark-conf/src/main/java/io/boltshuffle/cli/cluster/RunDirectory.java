package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The one directory that holds all a run writes: data, logs, metrics, and the disks of the hosts. */
public record RunDirectory(Path root) {

    /**
     * Makes a directory of its own under {@code parent}, which goes at the teardown unless {@code keep} is set.
     *
     * @param neededBytes refused at once when less is free
     */
    public static RunDirectory create(Path parent, long neededBytes, boolean keep, Teardown teardown) {
        try {
            Files.createDirectories(parent);
            long free = parent.toFile().getUsableSpace();
            if (free < neededBytes) {
                throw BoltException.environment(
                        "only " + (free >> 20) + " MB are free at " + parent + ", and this run needs about "
                                + (neededBytes >> 20) + " MB",
                        "free some space, give a smaller --size, or a --work-dir on a roomier disk");
            }
            RunDirectory run = new RunDirectory(Files.createTempDirectory(parent, "bolt-run-"));
            if (!keep) {
                teardown.push(() -> FileTrees.delete(run.root));
            }
            return run;
        } catch (IOException e) {
            throw BoltException.environment("cannot write to " + parent + " (" + e + ")", "give another --work-dir");
        }
    }

    /** A directory in here, made when it is not there. */
    public Path directory(String name) {
        try {
            return Files.createDirectories(root.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path log(String name) {
        return directory("logs").resolve(name + ".log");
    }

    /** Keeps what JVMs unpack for themselves in here; quoted, because paths have spaces. */
    public String temporaryFilesOption() {
        return "\"-Djava.io.tmpdir=" + directory("tmp") + "\"";
    }
}
