package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what the runner makes of the files that a suite left. */
class SuiteRunnerTest {
    private static final Duration WALL = Duration.ofSeconds(7);

    private final SuiteDirectory directory;

    SuiteRunnerTest(@TempDir Path root) throws IOException {
        directory = SuiteDirectory.create(root, Map.of());
        Files.writeString(directory.tallies().resolve("1.properties"), "managers=2\n");
        Files.writeString(directory.log(), "waits for a semaphore\n");
    }

    @Test
    void aSuiteThatEndedHasItsReport() throws IOException {
        report("<testsuite><testcase name=\"a\"/></testsuite>");
        SuiteOutcome outcome = SuiteRunner.outcome(directory, false, WALL);
        assertThat(outcome.isLost()).isFalse();
        assertThat(outcome.passed("a")).isTrue();
        assertThat(outcome.tallied("managers")).isEqualTo(2);
    }

    @Test
    void aSuiteWithoutAReportIsLost() {
        SuiteOutcome outcome = SuiteRunner.outcome(directory, false, WALL);
        assertThat(outcome.isLost()).isTrue();
        assertThat(outcome.lastWords()).isEqualTo("waits for a semaphore");
    }

    @Test
    void whatASuiteReportsAsItIsEndedAtItsDeadlineDoesNotCount() throws IOException {
        report("<testsuite><testcase name=\"a\"><failure/></testcase></testsuite>");
        assertThat(SuiteRunner.outcome(directory, true, WALL).isLost()).isTrue();
    }

    @Test
    void aReportThatTheDeadlineCutShortDoesNotEndTheCommand() throws IOException {
        report("<testsuite><testcase name=");
        assertThat(SuiteRunner.outcome(directory, true, WALL).isLost()).isTrue();
    }

    private void report(String text) throws IOException {
        Files.writeString(directory.reports().resolve("TEST-a.xml"), text);
    }
}
