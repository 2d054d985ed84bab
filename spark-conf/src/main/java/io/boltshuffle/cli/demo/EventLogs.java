package io.boltshuffle.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
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

    /** Moves the logs to {@code kept} and drops the oldest there. */
    static void keep(Path directory, Path kept) {
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
