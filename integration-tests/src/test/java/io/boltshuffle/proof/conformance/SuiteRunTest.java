package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what is made of the files that a suite left. */
class SuiteRunTest {
    private final SuiteDirectory directory;

    SuiteRunTest(@TempDir Path root) throws IOException {
        directory = SuiteDirectory.create(root, Map.of());
        Files.writeString(directory.tallies().resolve("1.properties"), "managers=2\n");
        Files.writeString(directory.log(), "waits for a semaphore\n");
    }

    @Test
    void aSuiteThatEndedHasItsReport() throws IOException {
        report("<testsuite><testcase name=\"a\"/></testsuite>");
        SuiteRun outcome = read(false);
        assertThat(outcome.isLost()).isFalse();
        assertThat(outcome.passed("a")).isTrue();
        assertThat(outcome.tally()).containsEntry("managers", 2L);
    }

    @Test
    void aSuiteWithoutAReportIsLost() {
        SuiteRun outcome = read(false);
        assertThat(outcome.isLost()).isTrue();
        assertThat(outcome.lastWords()).isEqualTo("waits for a semaphore");
    }

    @Test
    void whatASuiteReportsAsItIsEndedAtItsDeadlineDoesNotCount() throws IOException {
        report("<testsuite><testcase name=\"a\"><failure/></testcase></testsuite>");
        assertThat(read(true).isLost()).isTrue();
    }

    @Test
    void aReportThatTheDeadlineCutShortDoesNotEndTheCommand() throws IOException {
        report("<testsuite><testcase name=");
        assertThat(read(true).isLost()).isTrue();
    }

    @Test
    void aSuiteThatHasNoSuchTestIsNotLost() {
        directory.end(new SuiteDirectory.End(true, false, 0, 7));
        assertThat(SuiteRun.read(directory).isLost()).isFalse();
    }

    private SuiteRun read(boolean late) {
        directory.end(new SuiteDirectory.End(false, late, 0, 7));
        return SuiteRun.read(directory);
    }

    private void report(String text) throws IOException {
        Files.writeString(directory.reports().resolve("TEST-a.xml"), text);
    }
}
