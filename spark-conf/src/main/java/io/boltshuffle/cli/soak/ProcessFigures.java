package io.boltshuffle.cli.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a process holds, from Linux's {@code /proc}.
 *
 * @param privateBytes resident memory that is neither shared nor of a file
 * @param threads without those of Spark's block manager, whose pools grow to a hundred each at its busiest moment so far
 * @param slabBytes address space over slabs of agents, those that are deleted included
 */
record ProcessFigures(long privateBytes, long descriptors, long threads, long slabBytes) {
    private static final Pattern SLAB =
            Pattern.compile("([0-9a-f]+)-([0-9a-f]+) \\S+ \\S+ \\S+ \\S+ +/dev/shm/bolt-\\S+.*");

    /** The beginning of the names of its threads, of which the system keeps fifteen characters. */
    private static final String BLOCK_MANAGER = "block-manager-";

    /** Nothing when the process has ended. */
    static Optional<ProcessFigures> of(long pid) {
        Path directory = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> descriptors = Files.list(directory.resolve("fd"));
                Stream<Path> threads = Files.list(directory.resolve("task"))) {
            List<String> status = Files.readAllLines(directory.resolve("status"));
            List<String> maps = Files.readAllLines(directory.resolve("maps"));
            return Optional.of(new ProcessFigures(
                    field(status, "RssAnon") << 10,
                    descriptors.count(),
                    threads.filter(thread -> !isOfBlockManager(thread)).count(),
                    slabBytes(maps)));
        } catch (IOException e) {
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

    /** A number in the text of {@code /proc/PID/status}; 0 for a process of which only its exit code is left. */
    static long field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    /** From the text of {@code /proc/PID/maps}. */
    static long slabBytes(List<String> maps) {
        return maps.stream()
                .map(SLAB::matcher)
                .filter(Matcher::matches)
                .mapToLong(range -> Long.parseLong(range.group(2), 16) - Long.parseLong(range.group(1), 16))
                .sum();
    }
}
