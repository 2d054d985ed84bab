package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * On any machine a test can tell only that a slowed read takes at least so long, and that what is not slowed ends at
 * all.
 */
@EnabledOnOs(OS.LINUX)
class SlowDiskTest {
    /** Names the library without a path, because {@code LD_PRELOAD} allows none with a space. */
    private static final Map<String, String> PRELOADED = Map.of(
            "LD_PRELOAD",
            "libslowdisk.so",
            "LD_LIBRARY_PATH",
            Path.of("target", "emulator").toAbsolutePath().toString());

    private static final long TIMEOUT_SECONDS = 120;
    private static final Duration DELAY = Duration.ofMillis(300);

    /** One read takes this long, longer than the time-out. */
    private static final Duration ENDLESS = Duration.ofMinutes(60);

    private final Path disk;
    private final Path elsewhere;
    private final Path delay;

    SlowDiskTest(@TempDir Path directory) throws IOException {
        disk = Files.createDirectory(directory.resolve("disk"));
        elsewhere = Files.createDirectory(directory.resolve("disk of another name"));
        delay = directory.resolve("delay");
    }

    @Test
    void readsBelowTheFolderTakeTheirTime() throws IOException {
        long startNanos = System.nanoTime();
        assertThat(head(Files.writeString(disk.resolve("file"), "12345"), DELAY))
                .isEqualTo("12345");
        assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(DELAY.toNanos());
    }

    @Test
    void otherReadsDoNot() throws IOException {
        assertThat(head(Files.writeString(elsewhere.resolve("file"), "12345"), ENDLESS))
                .isEqualTo("12345");
    }

    @Test
    void withoutADelayThereIsNone() throws IOException {
        assertThat(head(Files.writeString(disk.resolve("file"), "12345"), Duration.ZERO))
                .isEqualTo("12345");
    }

    private String head(Path file, Duration eachRead) throws IOException {
        ByteBuffer micros = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        Files.write(delay, micros.putInt((int) (eachRead.toNanos() / 1_000)).array());
        ProcessBuilder head = new ProcessBuilder(List.of("head", "-c", "5", file.toString())).redirectErrorStream(true);
        head.environment().putAll(PRELOADED);
        head.environment().putAll(Map.of("BOLT_SLOW_DISK", delay.toString(), "BOLT_SLOW_DISK_UNDER", disk.toString()));
        FinishedProcess finished =
                FinishedProcess.of(head.start(), TIMEOUT_SECONDS).join();
        assertThat(finished.exitCode()).as(finished.output()).isZero();
        return finished.output();
    }
}
