package io.boltshuffle.cli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a process holds, from Linux's {@code /proc}.
 *
 * @param privateBytes resident memory that is neither shared nor of a file
 * @param descriptors of all kinds
 * @param threads without those of Spark's block manager, whose pools grow to a hundred each at its busiest moment so
 * far
 * @param slabBytes address space over slabs of agents, including deleted ones
 */
public record ProcessFigures(long privateBytes, long descriptors, long threads, long slabBytes) {
    private static final Pattern FIELD = Pattern.compile("(\\w+):\\s*(\\d{1,15}) kB");
    private static final Pattern SLAB =
            Pattern.compile("([0-9a-f]{1,15})-([0-9a-f]{1,15}) \\S+ \\S+ \\S+ \\S+ +/dev/shm/bolt-\\S+.*");

    /** The beginning of the names of its threads, of which the system keeps fifteen characters. */
    private static final String BLOCK_MANAGER = "block-manager-";

    /** Returns the figures; empty if the process has ended. */
    public static Optional<ProcessFigures> of(long pid) {
        Path directory = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> descriptors = Files.list(directory.resolve("fd"));
                Stream<Path> threads = Files.list(directory.resolve("task"))) {
            List<String> status = Files.readAllLines(directory.resolve("status"));
            return Optional.of(new ProcessFigures(
                    field(status, "RssAnon") << 10,
                    descriptors.count(),
                    threads.filter(thread -> !isOfBlockManager(thread)).count(),
                    slabBytes(Files.readAllLines(directory.resolve("maps")))));
        } catch (IOException | UncheckedIOException e) { // the latter while a directory is being read
            return Optional.empty();
        }
    }

    private static boolean isOfBlockManager(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(BLOCK_MANAGER);
        } catch (IOException e) {
            return false; // it has ended meanwhile
        }
    }

    /**
     * Returns a number in the text of {@code /proc/PID/status}; 0 for a process of which only its exit code is left.
     */
    static long field(List<String> status, String name) {
        return status.stream()
                .map(FIELD::matcher)
                .filter(field -> field.matches() && field.group(1).equals(name))
                .mapToLong(field -> Long.parseLong(field.group(2)))
                .findFirst()
                .orElse(0);
    }

    /** Reads the text of {@code /proc/PID/maps}. */
    static long slabBytes(List<String> maps) {
        return maps.stream()
                .map(SLAB::matcher)
                .filter(Matcher::matches)
                .mapToLong(range -> Long.parseLong(range.group(2), 16) - Long.parseLong(range.group(1), 16))
                .sum();
    }
}
