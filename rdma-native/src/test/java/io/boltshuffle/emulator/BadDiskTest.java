package io.boltshuffle.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Reads of the file that is named fail, and those of no other. */
@EnabledOnOs(OS.LINUX)
class BadDiskTest {
    /** By its name, because {@code LD_PRELOAD} allows no path with a space. */
    private static final Map<String, String> PRELOADED = Map.of(
            "LD_PRELOAD",
            "libbaddisk.so",
            "LD_LIBRARY_PATH",
            Path.of("target", "emulator").toAbsolutePath().toString());

    private static final long TIMEOUT_SECONDS = 120;
    private static final int PATH_BYTES = 4096;

    private final Path directory;
    private final Path file;

    BadDiskTest(@TempDir Path directory) throws IOException {
        this.directory = directory.toRealPath();
        this.file = Files.writeString(directory.resolve("file"), "12345");
    }

    @Test
    void readsOfTheFileFail() throws IOException {
        FinishedProcess head = headWhere(file.toString());
        assertThat(head.exitCode()).isNotZero();
        assertThat(head.output()).contains("Input/output error").doesNotContain("12345");
    }

    @Test
    void readsOfFilesWhoseNamesBeginAlikeDoNot() throws IOException {
        for (String other :
                List.of(file + "s", file.toString().substring(0, file.toString().length() - 1), "")) {
            FinishedProcess head = headWhere(other);
            assertThat(head.exitCode()).as(head.output()).isZero();
            assertThat(head.output()).isEqualTo("12345");
        }
    }

    private FinishedProcess headWhere(String lost) throws IOException {
        Path bad = Files.write(directory.resolve("bad-file"), Arrays.copyOf(lost.getBytes(UTF_8), PATH_BYTES));
        ProcessBuilder head = new ProcessBuilder(List.of("head", "-c", "5", file.toString())).redirectErrorStream(true);
        head.environment().putAll(PRELOADED);
        head.environment().putAll(Map.of("LC_ALL", "C", "BOLT_BAD_DISK", bad.toString()));
        return FinishedProcess.of(head.start(), TIMEOUT_SECONDS).join();
    }
}
