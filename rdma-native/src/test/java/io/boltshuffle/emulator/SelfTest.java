package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the emulator's own tests, written in C: each rule and each fault of {@code docs/virtual-thunderbolt.md}. */
@Tag("slow")
class SelfTest {

    private static final String PROGRAM =
            Path.of("target", "emulator", "vtbtest").toString();

    private static final long TIMEOUT_SECONDS = 120;

    /** How a test ends that cannot run here. */
    private static final int SKIPPED = 77;

    @TestFactory
    Stream<DynamicTest> theVirtualThunderbolt() throws IOException {
        return run("--list")
                .output()
                .lines()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    FinishedProcess test = run(name);
                    assumeThat(test.exitCode()).as(test.output()).isNotEqualTo(SKIPPED);
                    assertThat(test.exitCode())
                            .as("%s %s: %s", PROGRAM, name, test.output())
                            .isZero();
                }));
    }

    /** The system may have none, as on macOS. */
    @Test
    void whatNeedsCrossMemoryAttachIsSkippedWithoutIt() throws IOException {
        FinishedProcess test = run("aStoppedProcessStillReceives", Map.of("VTBTEST_RULES", "option copy bounce"));
        assertThat(test.exitCode()).as(test.output()).isEqualTo(SKIPPED);
        assertThat(test.output()).contains("skipped: without cross-memory attach");
    }

    private static FinishedProcess run(String argument) throws IOException {
        return run(argument, Map.of());
    }

    private static FinishedProcess run(String argument, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(PROGRAM, argument).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        return FinishedProcess.of(process, TIMEOUT_SECONDS).join();
    }
}
