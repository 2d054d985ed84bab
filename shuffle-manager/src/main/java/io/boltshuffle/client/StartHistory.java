package io.boltshuffle.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** When the agent of a host was started, kept in a file so that all executors know. Used under the start lock. */
final class StartHistory {

    /** So many starts within the window are a crash loop: something is wrong that another start will not mend. */
    static final int MAX_STARTS = 5;

    static final Duration WINDOW = Duration.ofMinutes(5);

    private final Path file;

    StartHistory(Path file) {
        this.file = file;
    }

    boolean isCrashLoop(long nowMillis) throws IOException {
        return recent(nowMillis).size() >= MAX_STARTS;
    }

    void add(long nowMillis) throws IOException {
        List<String> lines = Stream.concat(recent(nowMillis).stream(), Stream.of(nowMillis))
                .map(String::valueOf)
                .toList();
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private List<Long> recent(long nowMillis) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .filter(start -> nowMillis - start < WINDOW.toMillis())
                .toList();
    }
}
