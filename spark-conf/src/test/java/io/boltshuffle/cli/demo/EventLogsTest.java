package io.boltshuffle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogsTest {
    private final Path written;
    private final Path kept;

    EventLogsTest(@TempDir Path directory) {
        this.written = directory.resolve("run");
        this.kept = directory.resolve("cache").resolve("event-logs");
    }

    @BeforeEach
    void writeOne() throws IOException {
        Files.createDirectories(written);
        Files.writeString(written.resolve("app-new"), "{}");
    }

    @Test
    void logsMoveToTheCacheAndTheOldestThereGo() throws IOException {
        Files.createDirectories(kept);
        for (int day = 0; day < 50; day++) {
            Path old = Files.writeString(kept.resolve("app-" + day), "{}");
            Files.setLastModifiedTime(old, FileTime.fromMillis(1_000_000L * day));
        }

        assertThat(EventLogs.keep(written, kept)).contains("event logs: " + kept, "bolt history");

        assertThat(written).isEmptyDirectory();
        assertThat(kept.resolve("app-new")).hasContent("{}");
        assertThat(kept.resolve("app-49")).exists();
        assertThat(kept.resolve("app-0")).doesNotExist();
    }

    @Test
    void aCacheThatCannotBeWrittenIsSaidWithTheRemedy() throws IOException {
        Files.createDirectories(kept.resolveSibling(""));
        Files.writeString(kept, "a file where the directory should be");

        assertThat(EventLogs.keep(written, kept)).contains("not kept", kept.toString(), "BOLT_CACHE");

        assertThat(written.resolve("app-new")).exists();
    }
}
