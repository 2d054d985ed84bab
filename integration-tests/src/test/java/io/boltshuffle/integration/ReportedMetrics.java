package io.boltshuffle.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The metrics that executors reported through Spark's CSV sink, as a user would see them. */
record ReportedMetrics(Path directory) {

    /** A counter, summed over the executors of an application. */
    long total(String applicationId, String metric) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> isOf(file.getFileName().toString(), applicationId, metric))
                    .mapToLong(ReportedMetrics::lastCount)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOf(String fileName, String applicationId, String metric) {
        return fileName.startsWith(applicationId + ".") && fileName.endsWith(".boltshuffle." + metric + ".csv");
    }

    /** The last complete line; the columns are time and count. */
    private static long lastCount(Path file) {
        try {
            String text = Files.readString(file);
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            return lines.size() < 2
                    ? 0
                    : Long.parseLong(lines.get(lines.size() - 1).split(",", -1)[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
