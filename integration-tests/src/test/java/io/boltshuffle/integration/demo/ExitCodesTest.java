package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows what the exit code of the real command says: it failed, its command line is wrong, or this machine lacks
 * something.
 */
@Tag("slow")
class ExitCodesTest {
    private final Path directory;
    private final UnpackedBolt bolt;

    ExitCodesTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.bolt = UnpackedBolt.in(directory.resolve("a bolt"));
    }

    @Test
    void failuresWrongCommandLinesAndMissingPartsAreToldApart() throws Exception {
        String broken = Files.writeString(directory.resolve("broken library"), "no library")
                .toString();
        String nowhere = directory.resolve("nowhere").toString();

        expect(ExitCode.OK, Map.of(), "", "--version");

        expect(ExitCode.FAILED, Map.of(), "no cluster runs: start one with bolt cluster start", "cluster", "status");
        expect(ExitCode.FAILED, Map.of(), "FAIL library", "verify", "--virtual", "--emulator", broken);
        expect(ExitCode.FAILED, Map.of(), "no agent runs", "agent", "status", "--root", nowhere);

        expect(ExitCode.USAGE, Map.of(), "there is no 'bolt demmo'; did you mean demo?", "demmo");
        expect(ExitCode.USAGE, Map.of(), "--hosts is 1; it has to be 2 to 16", "demo", "--hosts", "1");
        expect(ExitCode.USAGE, Map.of(), "--from " + nowhere + " is no directory", "doctor", "--from", nowhere);
        expect(ExitCode.USAGE, Map.of(), "the tests are in the source checkout", "test");

        expect(ExitCode.ENVIRONMENT, Map.of(), "there is no virtual Thunderbolt at", "verify", "--virtual");
        expect(ExitCode.ENVIRONMENT, Map.of("JAVA_HOME", nowhere), "which has no bin/java", "--version");
        expect(
                ExitCode.ENVIRONMENT,
                Map.of("SPARK_HOME", nowhere),
                "there is no Spark at " + nowhere,
                "spark-submit",
                "app.jar");
    }

    private void expect(int exitCode, Map<String, String> environment, String words, String... arguments)
            throws Exception {
        ProcessBuilder command = UnpackedBolt.command(bolt.launcher(), arguments);
        // A cache of its own: no cluster of this user is met.
        command.environment().put("BOLT_CACHE", directory.resolve("cache").toString());
        command.environment().putAll(environment);
        try (RunningBolt running = RunningBolt.start(command, directory, directory)) {
            assertThat(running.exitCode())
                    .as("%s: %s%s", List.of(arguments), running.out(), running.err())
                    .isEqualTo(exitCode);
            assertThat(running.out() + running.err()).contains(words).doesNotContain("\tat ");
        }
    }
}
