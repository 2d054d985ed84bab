package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * For a minute, which is too short to tell growth from warm-up, and with the same faults each time; for hours:
 * {@code bolt soak}.
 */
@Tag("versions")
class SoakTest {
    private static final String EMULATOR = Path.of("../rdma-native/target/emulator", System.mapLibraryName("vtb"))
            .toAbsolutePath()
            .normalize()
            .toString();

    @Test
    void jobsStayRightAndMemoryComesBackWhileThingsFail(@TempDir Path directory) throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        Path page = directory.resolve("soak.html");
        ProcessBuilder command = UnpackedBolt.command(
                BuiltCheckout.in(directory.resolve("a bolt")).launcher(),
                "soak",
                "--json",
                "--minutes",
                "1",
                "--seed",
                "11",
                "--report",
                page.toString(),
                "--emulator",
                EMULATOR,
                // Outputs of a few jobs fill it, so that the others' make room or stay files.
                "--conf",
                "spark.boltshuffle.outputs.memory=4m",
                "--work-dir",
                work.toString());
        try (RunningBolt soak = RunningBolt.start(command, directory, work)) {
            assertThat(soak.exitCode()).as(soak.err()).isZero();

            JsonNode report = new ObjectMapper().readTree(soak.out());
            assertThat(report.at("/violations")).isEmpty();
            assertThat(report.at("/right").asInt()).isPositive();
            assertThat(report.at("/faults")).isNotEmpty();
            assertThat(report.at("/traffic/rdmaBytes").asLong())
                    .isGreaterThan(report.at("/traffic/servedFromMemoryBytes").asLong());
            assertThat(report.at("/traffic/servedFromMemoryBytes").asLong()).isPositive();
            assertThat(report.at("/traffic/outputs/evicted").asLong()).isPositive();
            assertThat(report.at("/recoveries/longestGapSeconds").asDouble()).isPositive();
            assertThat(page).content().contains("<polyline");
        }
        assertThat(work).isEmptyDirectory();
    }
}
