package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class SuiteComparisonTest {
    private static final Suite SUITE = new Suite("shuffle", true, true, "org.example.SomeSuite");
    private static final List<SuiteVariant> RDMA = List.of(SuiteVariant.RDMA);

    private final Map<SuiteVariant, Deque<SuiteRun>> prepared = new EnumMap<>(SuiteVariant.class);
    private final List<SuiteVariant> runs = new ArrayList<>();
    private final List<TestChoice> asked = new ArrayList<>();

    @Test
    void whatPassesEverywhereIsRunOnce() {
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        SuiteResult result = compare(true);
        assertThat(result.differences()).isEmpty();
        assertThat(runs).containsExactly(SuiteVariant.RDMA, SuiteVariant.STOCK);
    }

    @Test
    void stockIsNotNeededWhereNothingFails() {
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        assertThat(compare(false).variants()).containsOnlyKeys(SuiteVariant.RDMA);
    }

    @Test
    void whatFailsWithOursEachTimeIsADifference() {
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        for (int i = 0; i < 4; i++) {
            will(SuiteVariant.RDMA, "a", TestOutcome.FAILED);
        }
        assertThat(compare(false).differences()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
        assertThat(runs).hasSize(5);
    }

    @Test
    void anExplainedDifferenceIsNotRepeated() {
        will(SuiteVariant.RDMA, "a", TestOutcome.FAILED);
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        Difference known = new Difference(SuiteVariant.RDMA, "a");
        assertThat(compare(false, (result, difference) -> difference.equals(known))
                        .differences())
                .containsExactly(known);
        assertThat(runs).hasSize(2);
    }

    @Test
    void whatPassesTheLastTimeIsUnsteady() {
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        for (int i = 0; i < 3; i++) {
            will(SuiteVariant.RDMA, "a", TestOutcome.FAILED);
        }
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        SuiteResult result = compare(true);
        assertThat(result.differences()).isEmpty();
        assertThat(result.unsteady()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
    }

    @Test
    void whatPassesTheSecondTimeIsUnsteadyAndCountsAsPassed() {
        will(SuiteVariant.RDMA, "a", TestOutcome.FAILED);
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        SuiteResult result = compare(true);
        assertThat(result.differences()).isEmpty();
        assertThat(result.unsteady()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
        assertThat(result.runs(SuiteVariant.RDMA).count(TestOutcome.PASSED)).isEqualTo(1);
    }

    @Test
    void whatFailsWithStockTooIsNotHeldAgainstUs() {
        will(SuiteVariant.RDMA, "a", TestOutcome.FAILED);
        will(SuiteVariant.STOCK, "a", TestOutcome.FAILED);
        assertThat(compare(true).differences()).isEmpty();
        assertThat(runs).containsExactly(SuiteVariant.RDMA, SuiteVariant.STOCK);
    }

    @Test
    void aTestThatNobodyReportsIsADifference() {
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        for (int i = 0; i < 4; i++) {
            lose(SuiteVariant.RDMA);
        }
        assertThat(compare(true).differences()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
    }

    @Test
    void aSuiteThatIsLostOnceIsUnsteady() {
        lose(SuiteVariant.RDMA);
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        SuiteResult result = compare(true);
        assertThat(result.differences()).isEmpty();
        assertThat(result.unsteady()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
        assertThat(result.runs(SuiteVariant.RDMA).notPassed()).isEmpty();
        assertThat(result.runs(SuiteVariant.RDMA).isLost()).isFalse();
    }

    @Test
    void whatIsSkippedWithOursAloneIsADifference() {
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        for (int i = 0; i < 4; i++) {
            will(SuiteVariant.RDMA, "a", TestOutcome.SKIPPED);
        }
        assertThat(compare(true).differences()).hasSize(1);
    }

    @Test
    void stockAndRepetitionsRunOnlyWhatFailed() {
        will(SuiteVariant.RDMA, outcome(Map.of("a", TestOutcome.FAILED, "b", TestOutcome.PASSED)));
        will(SuiteVariant.STOCK, some("a", TestOutcome.PASSED));
        for (int i = 0; i < 3; i++) {
            will(SuiteVariant.RDMA, some("a", TestOutcome.FAILED));
        }
        SuiteResult result = compare(false);
        assertThat(result.differences()).containsExactly(new Difference(SuiteVariant.RDMA, "a"));
        assertThat(result.unsteady()).as("b was not asked for again").isEmpty();
        assertThat(asked.subList(1, 5)).containsOnly(TestChoice.named(List.of("a")));
        SuiteRuns ours = result.runs(SuiteVariant.RDMA);
        assertThat(ours.partial()).isFalse();
        assertThat(ours.passed("b")).isTrue();
    }

    @Test
    void whatOursSkipsIsAskedOfStock() {
        will(SuiteVariant.RDMA, "a", TestOutcome.SKIPPED);
        will(SuiteVariant.STOCK, some("a", TestOutcome.SKIPPED));
        assertThat(compare(false).differences()).isEmpty();
        assertThat(asked).containsExactly(TestChoice.ALL, TestChoice.named(List.of("a")));
    }

    @Test
    void aLostSuiteIsRepeatedAsAWhole() {
        lose(SuiteVariant.RDMA);
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        will(SuiteVariant.RDMA, "a", TestOutcome.PASSED);
        assertThat(compare(false).differences()).isEmpty();
        assertThat(asked).hasSize(3).containsOnly(TestChoice.ALL);
    }

    private static SuiteRun outcome(Map<String, TestOutcome> tests) {
        return new SuiteRun(new TreeMap<>(tests), Map.of(), 1, false, "");
    }

    private static SuiteRun some(String test, TestOutcome outcome) {
        return new SuiteRun(new TreeMap<>(Map.of(test, outcome)), Map.of(), 1, true, "");
    }

    private void will(SuiteVariant variant, String test, TestOutcome outcome) {
        will(variant, outcome(Map.of(test, outcome)));
    }

    private void lose(SuiteVariant variant) {
        will(variant, new SuiteRun(new TreeMap<>(), Map.of(), 0, false, "killed"));
    }

    private void will(SuiteVariant variant, SuiteRun outcome) {
        prepared.computeIfAbsent(variant, key -> new ArrayDeque<>()).add(outcome);
    }

    private SuiteResult compare(boolean stockAlways) {
        return compare(stockAlways, (result, difference) -> false);
    }

    private SuiteResult compare(boolean stockAlways, BiPredicate<SuiteResult, Difference> explained) {
        return new SuiteComparison(TestChoice.ALL, RDMA, stockAlways, explained)
                .compare("4.2.0", SUITE, (variant, tests) -> {
                    runs.add(variant);
                    asked.add(tests);
                    return Objects.requireNonNull(prepared.get(variant)).remove();
                });
    }
}
