package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The package for Python, as far as it can be tried without Spark; {@code .ci/notebooks} tries it with a cluster. */
@Tag("slow")
class PythonPackageTest {
    private static final Path PACKAGE = Path.of("..", "spark-conf", "python");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void itsOwnTestsPass() {
        assumeTrue(
                python("import sys; sys.exit(sys.version_info < (3, 9))").exitCode() == 0,
                "there is no python3 of 3.9 or newer: the package's own tests are not run");

        SystemCommand.Result tests = run("-B", "-m", "unittest");

        assertThat(tests.stderr()).contains("OK").doesNotContain("Ran 0 tests");
        assertThat(tests.exitCode()).as(tests.stderr()).isZero();
    }

    @Test
    void itSupportsTheLinesOfThePlugin() throws IOException {
        String versions = Files.readString(PACKAGE.resolve("boltshuffle/_versions.py"));

        assertThat(versions)
                .contains(Arrays.stream(SparkLine.values())
                        .map(line -> '"' + line.label() + '"')
                        .collect(Collectors.joining(", ", "LINES = (", ")")))
                .contains("NEWEST = \"" + SparkLine.NEWEST.release() + "\"");
        assertThat(Files.readString(PACKAGE.resolve("pyproject.toml")))
                .contains("\"pyspark>=" + SparkLine.V3_5.label() + ",<" + lineAfter(SparkLine.NEWEST) + '"');
    }

    /** Every patch release of a line that is supported fits, and no later line. */
    private static String lineAfter(SparkLine line) {
        String[] numbers = line.label().split("\\.", -1);
        return numbers[0] + "." + (Integer.parseInt(numbers[1]) + 1);
    }

    private static SystemCommand.Result python(String program) {
        return run("-c", program);
    }

    private static SystemCommand.Result run(String... words) {
        ProcessBuilder command = new ProcessBuilder("python3");
        command.command().addAll(Arrays.asList(words));
        return SystemCommand.run(LIMIT, command.directory(PACKAGE.toFile()));
    }
}
