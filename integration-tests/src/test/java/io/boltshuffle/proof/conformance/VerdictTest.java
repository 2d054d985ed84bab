package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.Report;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Suite SUITE = new Suite("shuffle", true, true, "org.example.SomeSuite");
    private static final Map<String, Long> USED = Map.of("managers", 2L, "readers", 5L, "bytes.rdma", 3_000_000L);
    private static final Explanations NOTHING_EXPLAINED = Explanations.parse("# nothing");

    @Test
    void aCleanRunHasNoFaultsAndShowsItsCounts() {
        Report report = report(outcome(USED), List.of());
        assertThat(report.faults()).isEmpty();
        assertThat(report.toText())
                .contains("Spark 4.2.0", "shuffle: SomeSuite", "2/0/1", "3.0")
                .contains("passed/failed/skipped");
    }

    @Test
    void whoWroteTheMapOutputsIsShown() {
        Map<String, Long> tally =
                Map.of("managers", 1L, "bytes.rdma", 1L, "write.tasks", 12L, "write.spark.map_side_combine", 3L);

        Report report = report(outcome(tally), List.of());

        assertThat(report.toText())
                .contains("4.2: our writer wrote 12 map outputs, Spark's writers 3 map side combine");
        assertThat(report.toHtml()).contains("our writer wrote 12 map outputs");
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
        SuiteRun lost = new SuiteRun(new TreeMap<>(), USED, 0, false, "*** RUN ABORTED *** | no suites");
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
        assertThat(part(outcome(Map.of("managers", 1L))).faults()).isEmpty();
        assertThat(part(outcome(Map.of())).faults()).singleElement().asString().contains("proves nothing");
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
        Report report = withStock(Explanations.parse("SomeSuite | tcp, rdma | 4.1, 4.2 | c | it counts files"));
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

    private static Report withStock(Explanations explanations) {
        SuiteRun stock = outcome(Map.of());
        SortedMap<String, TestOutcome> more = new TreeMap<>(stock.tests());
        more.put("c", TestOutcome.PASSED);
        return report(
                result(outcome(USED), List.of()).and(SuiteVariant.STOCK, run(more, Map.of())), explanations, true);
    }

    private static SuiteRun outcome(Map<String, Long> tally) {
        return run(Map.of("a", TestOutcome.PASSED, "b", TestOutcome.PASSED, "c", TestOutcome.SKIPPED), tally);
    }

    private static SuiteRun run(Map<String, TestOutcome> tests, Map<String, Long> tally) {
        return new SuiteRun(new TreeMap<>(tests), tally, 3, false, "");
    }

    private static Report report(SuiteRun rdma, List<String> leaks) {
        return report(result(rdma, leaks), NOTHING_EXPLAINED, true);
    }

    private static Report part(SuiteRun rdma) {
        return report(result(rdma, List.of()), NOTHING_EXPLAINED, false);
    }

    private static SuiteResult result(SuiteRun rdma, List<String> leaks) {
        return new SuiteResult("4.2.0", SUITE, Map.of(), leaks).and(SuiteVariant.RDMA, rdma);
    }

    private static Report report(SuiteResult result, Explanations explanations, boolean whole) {
        return new Verdict(List.of(result), explanations, whole).report();
    }
}
