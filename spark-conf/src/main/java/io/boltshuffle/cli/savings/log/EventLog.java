package io.boltshuffle.cli.savings.log;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one application's log: one file, or a directory of files that Spark rolled.
 *
 * @param files in the order in which they were written; none in a directory that only looks like a log
 * @param inProgress whether the application had not ended, or died, when Spark wrote the last event
 * @param compacted whether the history server has dropped events of jobs that had ended
 */
record EventLog(Path path, List<Path> files, boolean inProgress, boolean compacted) {
    static final String IN_PROGRESS = ".inprogress";

    private static final String ROLLED_DIRECTORY = "eventlog_v2_";
    private static final String COMPACT = ".compact";
    private static final String STATUS = "appstatus_";
    private static final Pattern ROLLED_FILE = Pattern.compile("events_(\\d{1,9})_.+");

    String name() {
        return path.getFileName().toString();
    }

    /** Returns whether a place names this log itself, and not the directory that it is in. */
    boolean isAt(Path place) {
        return path.equals(place.toAbsolutePath().normalize());
    }

    /** Returns the log at a place, or the files and directories in it that may be logs. */
    static List<EventLog> at(Path place) {
        if (!Files.exists(place)) {
            throw BoltException.usage(place + " does not exist");
        }
        Path whole = place.toAbsolutePath().normalize();
        if (isRolled(whole)) {
            return List.of(rolled(whole));
        }
        if (!Files.isDirectory(whole)) {
            return List.of(single(whole));
        }
        return list(whole).stream()
                .filter(entry -> Files.isRegularFile(entry) || isRolled(entry))
                .map(entry -> isRolled(entry) ? rolled(entry) : single(entry))
                .toList();
    }

    /** Returns the names of directories in a place that are no logs themselves. */
    static List<String> directoriesIn(Path place) {
        Path whole = place.toAbsolutePath().normalize();
        return !Files.isDirectory(whole) || isRolled(whole)
                ? List.of()
                : list(whole).stream()
                        .filter(entry -> Files.isDirectory(entry) && !isRolled(entry))
                        .map(entry -> entry.getFileName().toString())
                        .toList();
    }

    private static EventLog single(Path file) {
        return new EventLog(file, List.of(file), isNamed(file, IN_PROGRESS), isNamed(file, COMPACT));
    }

    /** A compact file stands for all files of its number and below. */
    private static EventLog rolled(Path directory) {
        List<Path> entries = list(directory);
        List<Path> events = entries.stream()
                .filter(entry -> number(entry).isPresent())
                .sorted(Comparator.comparingInt((Path entry) -> number(entry).getAsInt()))
                .toList();
        int compact = events.stream()
                .filter(entry -> isNamed(entry, COMPACT))
                .mapToInt(entry -> number(entry).getAsInt())
                .max()
                .orElse(-1);
        List<Path> left = events.stream()
                .filter(entry -> number(entry).getAsInt() > compact
                        || (number(entry).getAsInt() == compact && isNamed(entry, COMPACT)))
                .toList();
        boolean inProgress = entries.stream()
                .anyMatch(entry -> entry.getFileName().toString().startsWith(STATUS) && isNamed(entry, IN_PROGRESS));
        return new EventLog(directory, left, inProgress, compact >= 0);
    }

    private static boolean isRolled(Path path) {
        return Files.isDirectory(path)
                && path.getFileName() != null
                && path.getFileName().toString().startsWith(ROLLED_DIRECTORY);
    }

    private static boolean isNamed(Path file, String suffix) {
        return file.getFileName().toString().endsWith(suffix);
    }

    private static OptionalInt number(Path file) {
        Matcher name = ROLLED_FILE.matcher(file.getFileName().toString());
        return name.matches() ? OptionalInt.of(Integer.parseInt(name.group(1))) : OptionalInt.empty();
    }

    /** Hidden files are checksums of Hadoop's, or of the system. */
    private static List<Path> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw BoltException.usage("cannot read " + directory + " (" + e + ")");
        }
    }
}
