package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page that a user finds in the unpacked archive: its commands, as they stand, in a path with spaces. */
@Tag("ci")
@ExtendWith(OneClusterAtATime.class)
class ArchivePageTest {
    private static final String PAGE = "spark-conf/src/assembly/README.md";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

    private final Path root;
    private final Path logs;

    ArchivePageTest(@TempDir Path directory) throws IOException {
        this.root = directory.resolve("a bolt with spaces");
        this.logs = Files.createDirectories(directory.resolve("logs"));
        UnpackedBolt.in(root).installVirtualThunderbolt();
    }

    @AfterEach
    void noClusterIsLeft() throws Exception {
        assertThat(run("bin/bolt cluster stop")).isNotNull();
    }

    @Test
    void itsCommandsWorkAndItsLinksLead() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        String page = Files.readString(root.resolve("README.md"));
        assertThat(page)
                .isEqualTo(Files.readString(Path.of("..").resolve(PAGE)))
                .doesNotContain("\nspark-conf/bin/bolt");
        assertThat(LINK.matcher(page).results().map(link -> link.group(1)))
                .isNotEmpty()
                .allSatisfy(link -> assertThat(root.resolve(link)).exists());
        List<String> blocks = PageBlocks.runBy(ArchivePageTest.class, PAGE);
        assertThat(blocks).hasSize(3);

        assertThat(run(blocks.get(0))).contains("See it work:");
        assertThat(run(blocks.get(1))).contains("RDMA works");
        assertThat(run(blocks.get(2))).contains("virtual Thunderbolt, by Apple's rules (send)");

        assertThat(root.resolve("sorted/_SUCCESS")).exists();
        assertThat(root.resolve("sorted-by-two/_SUCCESS")).exists();
    }

    private String run(String commands) throws Exception {
        ProcessBuilder shell =
                UnpackedBolt.command(Path.of("bash"), "-euc", commands).directory(root.toFile());
        try (RunningBolt running = RunningBolt.start(shell, logs, logs)) {
            assertThat(running.exitCode()).as("%s%n%s", commands, running.err()).isZero();
            return running.out();
        }
    }
}
