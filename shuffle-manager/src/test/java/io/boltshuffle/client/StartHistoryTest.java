package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartHistoryTest {

    private static final long NOW = 1_000_000_000;

    private final Path file;
    private final StartHistory history;

    StartHistoryTest(@TempDir Path directory) {
        file = directory.resolve("starts");
        history = new StartHistory(file);
    }

    @Test
    void manyStartsInAShortTimeAreACrashLoop() throws IOException {
        for (int start = 0; start < StartHistory.MAX_STARTS; start++) {
            assertThat(history.isCrashLoop(NOW + start)).isFalse();
            history.add(NOW + start);
        }
        assertThat(history.isCrashLoop(NOW + StartHistory.MAX_STARTS)).isTrue();
    }

    @Test
    void startsOfLongAgoAreForgotten() throws IOException {
        for (int start = 0; start < 2 * StartHistory.MAX_STARTS; start++) {
            history.add(NOW);
        }
        assertThat(history.isCrashLoop(NOW + StartHistory.WINDOW.toMillis())).isFalse();
    }

    @Test
    void startsBeforeTheClockWasSetBackDoNotCount() throws IOException {
        for (int start = 0; start < StartHistory.MAX_STARTS; start++) {
            history.add(NOW + Duration.ofDays(1).toMillis());
        }
        assertThat(history.isCrashLoop(NOW)).isFalse();
    }

    @Test
    void aDamagedFileIsReadAsFarAsItGoes() throws IOException {
        Files.writeString(file, "not a time\n" + NOW + "\n");
        assertThat(history.isCrashLoop(NOW)).isFalse();
        history.add(NOW);
        assertThat(Files.readAllLines(file)).hasSize(2);
    }
}
