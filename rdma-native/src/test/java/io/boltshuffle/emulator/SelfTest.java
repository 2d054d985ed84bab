package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the emulator's own tests, written in C: each rule and each fault of {@code docs/virtual-thunderbolt.md}. */
class SelfTest {

    private static final String PROGRAM =
            Path.of("target", "emulator", "vtbtest").toString();

    private static final long TIMEOUT_SECONDS = 120;

    @TestFactory
    Stream<DynamicTest> theVirtualThunderbolt() throws IOException {
        return run("--list")
                .output()
                .lines()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    FinishedProcess test = run(name);
                    assertThat(test.exitCode())
                            .as("%s %s: %s", PROGRAM, name, test.output())
                            .isZero();
                }));
    }

    private static FinishedProcess run(String argument) throws IOException {
        Process process =
                new ProcessBuilder(PROGRAM, argument).redirectErrorStream(true).start();
        return FinishedProcess.of(process, TIMEOUT_SECONDS).join();
    }
}
