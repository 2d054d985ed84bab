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
 * The one directory that holds all a run writes: data, logs, metrics, the disks of the hosts, and which processes write
 * here.
 *
 * @param outlives whether the processes outlive the command that starts them
 */
public record RunDirectory(Path root, boolean outlives) {
    private static final String PROCESSES = "processes";
    private static final String SOCKETS = "sockets";

    /**
     * Makes a directory of its own under {@code parent}, which goes at the teardown unless {@code keep} is set.
     *
     * @param neededBytes refused at once when less is free
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

    /** The directory of processes that outlive the command; the teardown removes it unless it is told to keep it. */
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

    /** Writes down a process that was started, so that another command can end it, even after this one was killed. */
    public void record(String title, ProcessHandle process) {
        write(
                directory(PROCESSES).resolve(title),
                ProcessRecord.of(title, process).text());
    }

    void recordSockets(Path directory) {
        write(root.resolve(SOCKETS), directory.toString());
    }

    /** All that were started and have not been forgotten, whether they live or not; in the order of their titles. */
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

    /** Where the agents' sockets are, if there are any. */
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
