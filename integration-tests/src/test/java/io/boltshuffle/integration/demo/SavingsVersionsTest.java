package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bolt savings} reads the event logs of all Spark lines, of every kind that they write. */
@Tag("ci")
class SavingsVersionsTest {
    private final Path directory;
    private final UnpackedBolt bolt;

    SavingsVersionsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.bolt = UnpackedBolt.in(directory.resolve("bolt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5", "4.0", "4.1", "4.2", "4.3"})
    void logsOfEveryKindAreReadWhole(String line) throws Exception {
        bolt.requireSpark(line, Files.createDirectories(directory.resolve("gather")));
        Path eventLogs = directory.resolve("my event logs");
        run(
                "program",
                "spark-submit",
                "--spark",
                line,
                "--master",
                "local[2]",
                "--driver-class-path",
                UnpackedBolt.classPathOf(SavingsProgram.class),
                "--class",
                SavingsProgram.class.getName(),
                bolt.jar("boltshuffle-cli-").toString(),
                eventLogs.toString());

        JsonNode report =
                new ObjectMapper().readTree(run("savings", "savings", eventLogs.toString(), "--spark", line, "--json"));

        Set<String> names = new HashSet<>();
        for (JsonNode application : report.path("applications")) {
            names.add(application.path("name").asText());
            assertThat(application.path("sparkVersion").asText()).startsWith(line);
            assertThat(application.path("incomplete")).isEmpty();
            Set<String> writers = new HashSet<>();
            application
                    .path("stages")
                    .forEach(stage -> writers.add(stage.path("writer").asText() + " "
                            + stage.path("partitions").asText()));
            assertThat(writers)
                    .contains("bypass 2", "sort 2", "serialized " + SavingsProgram.QUERY_PARTITIONS, "none null");
        }
        assertThat(names).isEqualTo(SavingsProgram.KINDS.keySet());
    }

    private String run(String name, String... arguments) throws Exception {
        ProcessBuilder command = UnpackedBolt.command(bolt.launcher(), arguments);
        command.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        try (RunningBolt running =
                RunningBolt.start(command, Files.createDirectories(directory.resolve(name)), directory)) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            return running.out();
        }
    }
}
