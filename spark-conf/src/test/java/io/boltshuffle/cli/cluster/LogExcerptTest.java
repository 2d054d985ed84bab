package io.boltshuffle.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogExcerptTest {
    private final Path directory;

    LogExcerptTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theInnermostCauseIsTold() throws IOException {
        assertThat(excerpt(
                        "INFO a\nException in thread \"main\" X: outer\n\tat Y\nCaused by: Z: inner\n\tat W\nINFO b\n"))
                .isEqualTo("Caused by: Z: inner");
    }

    @Test
    void withoutAnExceptionTheLastLinesAreTold() throws IOException {
        assertThat(excerpt("1\n2\n3\n4\n5\n6\n")).isEqualTo("2\n3\n4\n5\n6");
    }

    @Test
    void theLastErrorIsToldWithoutItsTimeAndColours() throws IOException {
        assertThat(excerpt("2026-11-23T10:00:00Z main \u001B[31mERROR\u001B[m the agent of a cannot start: no room\n"))
                .isEqualTo("the agent of a cannot start: no room");
    }

    @Test
    void aFullDiskIsNamedWithTheRemedy() throws IOException {
        assertThat(excerpt("java.io.IOException: No space left on device\nCaused by: something else\n"))
                .contains("the disk is full")
                .contains("--size");
    }

    @Test
    void aSlabThatDoesNotFitIsNotAFullDisk() throws IOException {
        assertThat(excerpt("bolt-agent: posix_fallocate: No space left on device: ask for a smaller slab\n"))
                .contains("smaller slab")
                .doesNotContain("--size");
    }

    private String excerpt(String log) throws IOException {
        return LogExcerpt.ofFailure(Files.writeString(directory.resolve("log"), log));
    }
}
