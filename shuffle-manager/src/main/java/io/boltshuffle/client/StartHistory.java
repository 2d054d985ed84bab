package io.boltshuffle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps in a file when the agent of a host was started, so that all executors know. Times are of the wall clock, the
 * only clock that the executors share. Other text in the file is ignored, and so are times in the future, which a clock
 * that was set back leaves: the worst result is one start too many. The caller holds the start lock.
 */
final class StartHistory {

    /** This many starts within the window are a crash loop, which another start will not mend. */
    static final int MAX_STARTS = 5;

    static final Duration WINDOW = Duration.ofMinutes(5);

    private static final Pattern TIME = Pattern.compile("[0-9]{1,18}");

    /** This is far more than the starts of a crash loop need. */
    private static final int MAX_BYTES = 4096;

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
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), US_ASCII)
                    .lines()
                    .filter(TIME.asMatchPredicate())
                    .map(Long::valueOf)
                    .filter(start -> start <= nowMillis && nowMillis - start < WINDOW.toMillis())
                    .toList();
        }
    }
}
