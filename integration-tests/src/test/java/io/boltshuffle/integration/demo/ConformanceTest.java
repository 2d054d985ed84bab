package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spark's own suites judge our manager. A few that are short and start executors; all of them:
 * {@code bolt conformance}.
 */
@Tag("ci")
class ConformanceTest {
    @ParameterizedTest
    @CsvSource({"4.2, KryoSerializerDistributedSuite", "3.5, KryoSerializerDistributedSuite"})
    void whatPassesWithSparksShufflePassesWithOursByRdma(String line, String suite, @TempDir Path directory)
            throws Exception {
        // Spark's own suites fail in a directory whose path has a space.
        VerbRun conformance = VerbRun.in(
                directory, "work", List.of("conformance", "--variants", "rdma", "--suite", suite, "--spark", line));

        assertThat(conformance.exitCode()).as(conformance.err()).isZero();
        JsonNode suites = conformance.json().at("/suites");
        assertThat(suites).hasSize(1);
        JsonNode rdma = suites.at("/0/variants/rdma");
        assertThat(rdma.at("/passed").asInt()).as(conformance.out()).isPositive();
        assertThat(rdma.at("/tally/bytes.rdma").asLong()).as(conformance.out()).isPositive();
    }
}
