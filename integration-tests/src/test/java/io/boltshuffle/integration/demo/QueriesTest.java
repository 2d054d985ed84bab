package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two of Spark's own queries give the same with either shuffle; all of them: {@code bolt queries}. */
@Tag("versions")
class QueriesTest {
    private static final String EMULATOR = Path.of("../rdma-native/target/emulator", System.mapLibraryName("vtb"))
            .toAbsolutePath()
            .normalize()
            .toString();

    @Test
    void queriesGiveWhatTheyGiveWithStockSpark(@TempDir Path directory) throws Exception {
        Path work = Files.createDirectories(directory.resolve("work with spaces"));
        ProcessBuilder command = UnpackedBolt.command(
                BuiltCheckout.in(directory.resolve("a bolt")).launcher(),
                "queries",
                "--json",
                "--benchmark",
                "tpch",
                "--query",
                "q3,q18",
                "--emulator",
                EMULATOR,
                "--work-dir",
                work.toString());
        try (RunningBolt queries = RunningBolt.start(command, directory, work)) {
            assertThat(queries.exitCode()).as(queries.err()).isZero();

            JsonNode comparison = new ObjectMapper().readTree(queries.out()).get(0);
            assertThat(comparison.get("queries").asInt()).isEqualTo(4);
            assertThat(comparison.get("stockFailed")).isEmpty();
            assertThat(comparison.get("rdmaBytes").asLong()).isPositive();
        }
        assertThat(work).isEmptyDirectory();
    }
}
