package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteReportsTest {
    @Test
    void readsScalaTestsReport(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("TEST-a.xml"), """
                <?xml version="1.0" encoding="UTF-8" ?>
                <testsuite errors="0" failures="1" name="a" tests="3">
                  <properties><property name="x" value="y"/></properties>
                  <testcase name="works" classname="a" time="0.1"></testcase>
                  <testcase name="breaks" classname="a" time="0.1">
                    <failure message="&lt;no&gt;" type="x"><![CDATA[trace]]></failure>
                  </testcase>
                  <testcase name="waits" classname="a" time="0.0"><skipped/></testcase>
                  <system-out><![CDATA[]]></system-out>
                </testsuite>
                """);
        assertThat(SuiteReports.tests(directory))
                .containsEntry("works", TestOutcome.PASSED)
                .containsEntry("breaks", TestOutcome.FAILED)
                .containsEntry("waits", TestOutcome.SKIPPED)
                .hasSize(3);
    }

    @Test
    void aReportCutShortIsSaidToBeNone(@TempDir Path directory) throws IOException {
        Path report = Files.writeString(directory.resolve("TEST-a.xml"), "<testsuite><testcase name=\"works\"");
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> SuiteReports.tests(directory))
                .withMessageContaining(report.toString());
    }

    @Test
    void addsUpTheTalliesOfAllJvms(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("1.properties"), "readers=3\nbytes.rdma=100\n");
        Files.writeString(directory.resolve("2.properties"), "readers=4\n");
        assertThat(SuiteReports.tally(directory)).containsEntry("readers", 7L).containsEntry("bytes.rdma", 100L);
    }
}
