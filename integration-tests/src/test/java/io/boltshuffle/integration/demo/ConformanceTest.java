package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spark's own suites judge our manager. A few that are short and start executors; all of them:
 * {@code bolt conformance}.
 */
@Tag("versions")
class ConformanceTest {
    private static final String EMULATOR = Path.of("../rdma-native/target/emulator", System.mapLibraryName("vtb"))
            .toAbsolutePath()
            .normalize()
            .toString();

    @ParameterizedTest
    @CsvSource({"4.2, KryoSerializerDistributedSuite", "3.5, KryoSerializerDistributedSuite"})
    void whatPassesWithSparksShufflePassesWithOursByRdma(String line, String suite, @TempDir Path directory)
            throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        ProcessBuilder command = UnpackedBolt.command(
                BuiltCheckout.in(directory.resolve("a bolt")).launcher(),
                "conformance",
                "--json",
                "--variants",
                "rdma",
                "--suite",
                suite,
                "--spark",
                line,
                "--emulator",
                EMULATOR,
                "--work-dir",
                work.toString());
        try (RunningBolt conformance = RunningBolt.start(command, directory, work)) {
            assertThat(conformance.exitCode()).as(conformance.err()).isZero();

            JsonNode suites = new ObjectMapper().readTree(conformance.out()).at("/0/suites");
            assertThat(suites).hasSize(1);
            JsonNode rdma = suites.at("/0/variants/rdma");
            assertThat(rdma.at("/passed").asInt()).as(conformance.out()).isPositive();
            assertThat(rdma.at("/tally/bytes.rdma").asLong())
                    .as(conformance.out())
                    .isPositive();
        }
        assertThat(work).isEmptyDirectory();
    }
}
