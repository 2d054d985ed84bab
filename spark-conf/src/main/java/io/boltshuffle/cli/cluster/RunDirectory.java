package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The one directory that holds everything a run writes: data, logs, metrics, the disks of the hosts, and a record of
 * the processes that write here.
 *
 * @param outlives whether the processes outlive the command that starts them
 */
public record RunDirectory(Path root, boolean outlives) {
    private static final String PROCESSES = "processes";
    private static final String SOCKETS = "sockets";

    /**
     * Creates a directory of its own under {@code parent}, which the teardown removes unless {@code keep} is set.
     *
     * @param neededBytes refused at once if less is free
     */
    public static RunDirectory create(Path parent, long neededBytes, boolean keep, Teardown teardown) {
        if (!Files.isDirectory(parent)) {
            throw BoltException.usage("--work-dir " + parent + " is no directory");
        }
        requireSpace(parent, neededBytes, "free some space, give a smaller --size, or a --work-dir on a roomier disk");
        try {
            Path root = teardown.open(
                    () -> Files.createTempDirectory(parent, "bolt-run-"), keep ? made -> {} : FileTrees::delete);
            return new RunDirectory(root, false);
        } catch (IOException e) {
            throw BoltException.environment("cannot write to " + parent + " (" + e + ")", "give another --work-dir");
        }
    }

    /**
     * Creates the directory of processes that outlive the command. The teardown removes it unless it is told to keep
     * it.
     */
    public static RunDirectory outliving(Path root, long neededBytes, Teardown teardown) {
        try {
            Files.createDirectories(root.toAbsolutePath().getParent());
            teardown.open(() -> Files.createDirectory(root), FileTrees::delete);
        } catch (IOException e) {
            throw BoltException.environment(
                    "cannot write to " + root + " (" + e + ")", "set BOLT_CACHE to a directory you may write to");
        }
        requireSpace(root, neededBytes, "free some space, or set BOLT_CACHE to a directory on a roomier disk");
        return new RunDirectory(root, true);
    }

    private static void requireSpace(Path directory, long neededBytes, String remedy) {
        long free = directory.toFile().getUsableSpace();
        if (free < neededBytes) {
            throw BoltException.environment(
                    "only " + (free >> 20) + " MB are free at " + directory + ", and this run needs about "
                            + (neededBytes >> 20) + " MB",
                    remedy);
        }
    }

    /** Returns a directory in here, and creates it if it does not exist. */
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

    /** Returns the option that makes JVMs unpack their files in here. It is quoted, because paths have spaces. */
    public String temporaryFilesOption() {
        return "\"-Djava.io.tmpdir=" + directory("tmp") + "\"";
    }

    /** Records a process that was started, so that another command can end it, even after this one was killed. */
    public void record(String title, ProcessHandle process) {
        write(
                directory(PROCESSES).resolve(title),
                ProcessRecord.of(title, process).text());
    }

    /** Forgets a process that has ended and is not missed. */
    public void forget(String title) {
        try {
            Files.deleteIfExists(directory(PROCESSES).resolve(title));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void recordSockets(Path directory) {
        write(root.resolve(SOCKETS), directory.toString());
    }

    /** Returns all recorded processes that were not forgotten, alive or not, in the order of their titles. */
    public List<ProcessRecord> processes() {
        Path directory = root.resolve(PROCESSES);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted()
                    .flatMap(file -> ProcessRecord.parse(file.getFileName().toString(), read(file)).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the directory of the agents' sockets, if there is one. */
    public Optional<Path> sockets() {
        Path file = root.resolve(SOCKETS);
        return Files.exists(file) ? Optional.of(Path.of(read(file))) : Optional.empty();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
