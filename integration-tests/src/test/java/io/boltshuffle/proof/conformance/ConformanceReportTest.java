package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConformanceReportTest {
    private static final Suite SUITE = new Suite("shuffle", true, true, "org.example.SomeSuite");
    private static final Map<String, Long> USED = Map.of("managers", 2L, "readers", 5L, "bytes.rdma", 3_000_000L);
    private static final Explanations NOTHING_EXPLAINED = Explanations.parse("# nothing");

    @Test
    void aCleanRunHasNoFaultsAndShowsItsCounts() {
        ConformanceReport report = report(outcome(USED), List.of());
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText())
                .contains("Spark 4.2.0", "shuffle: SomeSuite", "2/0/1", "3.0")
                .contains("passed/failed/skipped");
    }

    @Test
    void whoWroteTheMapOutputsIsShown() {
        Map<String, Long> tally =
                Map.of("managers", 1L, "bytes.rdma", 1L, "write.tasks", 12L, "write.spark.map_side_combine", 3L);

        ConformanceReport report = report(outcome(tally), List.of());

        assertThat(report.toText())
                .contains("4.2: our writer wrote 12 map outputs, Spark's writers 3 map side combine");
        assertThat(report.toMarkdown()).contains("our writer wrote 12 map outputs");
    }

    @Test
    void howBlocksThatAreNotOfShufflesCameIsShown() {
        Map<String, Long> tally =
                Map.of("managers", 1L, "bytes.rdma", 1L, "blocks.rdma.broadcast", 4L, "blocks.rdma.cached", 2L);

        assertThat(report(outcome(tally), List.of()).toText())
                .contains("4.2: blocks that are not of shuffles: by RDMA 4 broadcast, 2 cached; by Netty none");
        assertThat(report(outcome(Map.of("managers", 1L, "bytes.rdma", 1L)), List.of())
                        .toText())
                .doesNotContain("not of shuffles");
    }

    @Test
    void aDifferenceIsAFaultThatNamesItsTest() {
        assertThat(withStock(NOTHING_EXPLAINED).faults())
                .singleElement()
                .asString()
                .contains("SomeSuite, rdma", "'c'");
    }

    @Test
    void aSuiteThatNeverUsedOurManagerProvesNothing() {
        assertThat(report(outcome(Map.of("bytes.rdma", 1L)), List.of()).faults())
                .singleElement()
                .asString()
                .contains("proves nothing");
    }

    @Test
    void aSuiteThatDidNotComeToItsEndIsAFaultThatSaysWhy() {
        SuiteOutcome lost = SuiteOutcome.lost(USED, Duration.ZERO, "*** RUN ABORTED *** | no suites");
        assertThat(report(lost, List.of()).faults())
                .containsExactly("Spark 4.2.0, SomeSuite, rdma: the suite did not come to its end: "
                        + "*** RUN ABORTED *** | no suites");
    }

    @Test
    void aRunWithoutAByteByRdmaIsAFault() {
        assertThat(report(outcome(Map.of("managers", 1L)), List.of()).faults())
                .singleElement()
                .asString()
                .contains("no byte came by RDMA");
    }

    @Test
    void aPartOfARunNeedNotHaveFetched() {
        assertThat(report(outcome(Map.of("managers", 1L)), List.of()).faultsOfPart())
                .isEmpty();
        assertThat(report(outcome(Map.of()), List.of()).faultsOfPart())
                .singleElement()
                .asString()
                .contains("proves nothing");
    }

    @Test
    void whatAnAgentStillHoldsIsAFault() {
        assertThat(report(outcome(USED), List.of("after SomeSuite: the agent of x has pinnedBytes 5"))
                        .faults())
                .singleElement()
                .asString()
                .contains("pinnedBytes 5");
    }

    @Test
    void anExplainedDifferenceIsNoFaultAndShowsItsReason() {
        ConformanceReport report =
                withStock(Explanations.parse("SomeSuite | tcp, rdma | 4.1, 4.2 | c | it counts files"));
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText()).contains("explained: 4.2, SomeSuite, rdma: c: it counts files");
    }

    @Test
    void anExplanationHoldsForItsLinesVariantsAndTestOnly() {
        for (String elsewhere : List.of(
                "SomeSuite | rdma | 4.1 | c | reason",
                "SomeSuite | tcp | 4.2 | c | reason",
                "SomeSuite | rdma | 4.2 | b | reason")) {
            assertThat(withStock(Explanations.parse(elsewhere)).faults()).hasSize(1);
        }
    }

    @Test
    void anExplanationOfWhatDoesNotOccurIsNamed() {
        String note = "explained, but did not occur: SomeSuite: b";
        assertThat(withStock(Explanations.parse("SomeSuite | rdma | 4.2 | b | reason"))
                        .toText())
                .contains(note);
        assertThat(withStock(Explanations.parse("SomeSuite | rdma | 3.5 | b | reason"))
                        .toText())
                .doesNotContain(note);
    }

    @Test
    void theShippedExplanationsAreAboutSuitesOfTheList() {
        assertThat(Explanations.shipped().entries())
                .allSatisfy(entry -> assertThat(SuiteCatalogue.named(List.of("." + entry.suite())))
                        .isNotEmpty());
    }

    private static ConformanceReport withStock(Explanations explanations) {
        SuiteOutcome stock = outcome(Map.of());
        SortedMap<String, TestOutcome> more = new TreeMap<>(stock.tests());
        more.put("c", TestOutcome.PASSED);
        Map<SuiteVariant, SuiteOutcome> outcomes = Map.of(
                SuiteVariant.STOCK, new SuiteOutcome(more, Map.of(), Duration.ZERO), SuiteVariant.RDMA, outcome(USED));
        return report(outcomes, List.of(), explanations);
    }

    private static SuiteOutcome outcome(Map<String, Long> tally) {
        return new SuiteOutcome(
                new TreeMap<>(Map.of("a", TestOutcome.PASSED, "b", TestOutcome.PASSED, "c", TestOutcome.SKIPPED)),
                tally,
                Duration.ofSeconds(3));
    }

    private static ConformanceReport report(SuiteOutcome rdma, List<String> leaks) {
        return report(Map.of(SuiteVariant.RDMA, rdma), leaks, NOTHING_EXPLAINED);
    }

    private static ConformanceReport report(
            Map<SuiteVariant, SuiteOutcome> outcomes, List<String> leaks, Explanations explanations) {
        SuiteResult result = new SuiteResult(SUITE, outcomes, List.of());
        return new ConformanceReport(List.of(new LineResult("4.2.0", List.of(result), leaks)), explanations);
    }
}
