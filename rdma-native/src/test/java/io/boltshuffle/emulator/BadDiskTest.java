package io.boltshuffle.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Reads of the file that is named fail, writes to those below the directory that is named, and none of others. */
@EnabledOnOs(OS.LINUX)
class BadDiskTest {
    /** Names the library without a path, because {@code LD_PRELOAD} allows none with a space. */
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

    @Test
    void writesToFilesOfTheDirectoryFail() throws IOException {
        Path below = Files.createDirectories(directory.resolve("disk").resolve("below"));
        for (Path file : List.of(directory.resolve("disk").resolve("file"), below.resolve("file"))) {
            FinishedProcess write = writeWhere(directory.resolve("disk").toString(), file);
            assertThat(write.exitCode()).isNotZero();
            assertThat(write.output()).contains("Input/output error");
            assertThat(file).isEmptyFile();
        }
    }

    @Test
    void writesToFilesOfDirectoriesWhoseNamesBeginAlikeDoNot() throws IOException {
        Path written = Files.createDirectories(directory.resolve("disk")).resolve("file");
        for (String other :
                List.of(directory.resolve("dis").toString(), directory + "/disks", written.toString(), "")) {
            FinishedProcess write = writeWhere(other, written);
            assertThat(write.exitCode()).as(write.output()).isZero();
            assertThat(written).hasContent("12345");
            Files.delete(written);
        }
    }

    private FinishedProcess headWhere(String lost) throws IOException {
        return run(lost, "", "head", "-c", "5", file.toString());
    }

    private FinishedProcess writeWhere(String broken, Path written) throws IOException {
        return run("", broken, "dd", "status=none", "if=" + file, "of=" + written);
    }

    private FinishedProcess run(String lost, String broken, String... command) throws IOException {
        ByteBuffer paths = ByteBuffer.allocate(2 * PATH_BYTES).put(lost.getBytes(UTF_8));
        paths.position(PATH_BYTES).put(broken.getBytes(UTF_8));
        Path bad = Files.write(directory.resolve("bad-file"), paths.array());
        ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
        process.environment().putAll(PRELOADED);
        process.environment().putAll(Map.of("LC_ALL", "C", "BOLT_BAD_DISK", bad.toString()));
        return FinishedProcess.of(process.start(), TIMEOUT_SECONDS).join();
    }
}
