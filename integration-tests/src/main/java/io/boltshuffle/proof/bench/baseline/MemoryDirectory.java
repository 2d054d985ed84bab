package io.boltshuffle.proof.bench.baseline;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory whose files are in memory. */
public final class MemoryDirectory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private MemoryDirectory() {}

    /**
     * Creates a run's directory in it, which the teardown removes.
     *
     * @param bytes refused at once if less is free
     */
    public static RunDirectory create(long bytes, Teardown teardown) {
        return RunDirectory.create(require(), bytes, false, teardown);
    }

    /** @throws BoltException if this machine has none */
    static Path require() {
        return require(SHARED_MEMORY);
    }

    static Path require(Path directory) {
        try {
            if (Files.isDirectory(directory)
                    && Files.getFileStore(directory).type().equals("tmpfs")) {
                return directory;
            }
        } catch (IOException e) {
            throw BoltException.usage("--baseline tmpfs: cannot tell what " + directory + " is (" + e + ")");
        }
        throw BoltException.usage("--baseline tmpfs needs a file system in memory at " + directory
                + ", which this machine has not: leave tmpfs out");
    }
}
