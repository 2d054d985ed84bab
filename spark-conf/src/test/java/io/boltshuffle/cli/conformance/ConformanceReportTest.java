package io.boltshuffle.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConformanceReportTest {
    private static final Suite SUITE = new Suite("shuffle", true, true, "org.example.SomeSuite");
    private static final Map<String, Long> USED = Map.of("managers", 2L, "readers", 5L, "bytes.rdma", 3_000_000L);

    @Test
    void aCleanRunHasNoFaultsAndShowsItsCounts() {
        ConformanceReport report = report(outcome(USED), List.of(), List.of());
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText())
                .contains("Spark 4.2.0", "shuffle: SomeSuite", "2/0/1", "3.0")
                .contains("passed/failed/skipped");
    }

    @Test
    void aDifferenceIsAFaultThatNamesItsTest() {
        assertThat(report(outcome(USED), List.of(new Difference(SuiteVariant.RDMA, "sorts")), List.of())
                        .faults())
                .singleElement()
                .asString()
                .contains("SomeSuite, rdma", "'sorts'");
    }

    @Test
    void aSuiteThatNeverUsedOurManagerProvesNothing() {
        assertThat(report(outcome(Map.of("bytes.rdma", 1L)), List.of(), List.of())
                        .faults())
                .singleElement()
                .asString()
                .contains("proves nothing");
    }

    @Test
    void aRunWithoutAByteByRdmaIsAFault() {
        assertThat(report(outcome(Map.of("managers", 1L)), List.of(), List.of()).faults())
                .singleElement()
                .asString()
                .contains("no byte came by RDMA");
    }

    @Test
    void whatAnAgentStillHoldsIsAFault() {
        assertThat(report(outcome(USED), List.of(), List.of("after SomeSuite: the agent of x has pinnedBytes 5"))
                        .faults())
                .singleElement()
                .asString()
                .contains("pinnedBytes 5");
    }

    private static SuiteOutcome outcome(Map<String, Long> tally) {
        return new SuiteOutcome(
                new TreeMap<>(Map.of("a", TestOutcome.PASSED, "b", TestOutcome.PASSED, "c", TestOutcome.SKIPPED)),
                tally,
                Duration.ofSeconds(3));
    }

    private static ConformanceReport report(SuiteOutcome rdma, List<Difference> differences, List<String> leaks) {
        SuiteResult result = new SuiteResult(SUITE, Map.of(SuiteVariant.RDMA, rdma), differences, List.of());
        return new ConformanceReport(List.of(new LineResult("4.2.0", List.of(result), leaks)));
    }
}
