package io.boltshuffle.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Handles the event logs of the runs. They are written in the run's directory, and kept in the user's cache when the
 * run is done.
 */
public final class EventLogs {
    private static final int KEPT = 40;

    private EventLogs() {}

    /** Returns the settings for one plain file for each application, which every Spark since 3.5 can read. */
    public static Map<String, String> settings(Path directory) {
        return Map.of(
                "spark.eventLog.enabled",
                "true",
                "spark.eventLog.dir",
                directory.toUri().toString(),
                "spark.eventLog.rolling.enabled",
                "false");
    }

    /**
     * Moves the logs to {@code kept} and drops the oldest there.
     *
     * @return where they are, or why they are not there, as a line for the user: no job is worse for it
     */
    public static String keep(Path directory, Path kept) {
        try {
            Files.createDirectories(kept);
            for (Path log : list(directory)) {
                Files.move(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
            List<Path> newestFirst = list(kept).stream()
                    .sorted(Comparator.comparing((Path log) -> log.toFile().lastModified())
                            .reversed())
                    .toList();
            for (Path old : newestFirst.subList(Math.min(KEPT, newestFirst.size()), newestFirst.size())) {
                Files.delete(old);
            }
            return "event logs: " + kept + " (look at them with: bolt history)";
        } catch (IOException e) {
            return "the event logs are not kept for 'bolt history', because " + kept
                    + " cannot be written; BOLT_CACHE names another directory for it (" + e + ")";
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }
}
