package io.boltshuffle.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.time.Duration;
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

    private final Map<SuiteVariant, Deque<SuiteOutcome>> prepared = new EnumMap<>(SuiteVariant.class);
    private final List<SuiteVariant> runs = new ArrayList<>();

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
        assertThat(compare(false).outcomes()).containsOnlyKeys(SuiteVariant.RDMA);
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
        assertThat(Objects.requireNonNull(result.outcomes().get(SuiteVariant.RDMA))
                        .count(TestOutcome.PASSED))
                .isEqualTo(1);
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
        assertThat(Objects.requireNonNull(result.outcomes().get(SuiteVariant.RDMA))
                        .failed())
                .isEmpty();
    }

    @Test
    void whatIsSkippedWithOursAloneIsADifference() {
        will(SuiteVariant.STOCK, "a", TestOutcome.PASSED);
        for (int i = 0; i < 4; i++) {
            will(SuiteVariant.RDMA, "a", TestOutcome.SKIPPED);
        }
        assertThat(compare(true).differences()).hasSize(1);
    }

    private void will(SuiteVariant variant, String test, TestOutcome outcome) {
        will(variant, new SuiteOutcome(new TreeMap<>(Map.of(test, outcome)), Map.of(), Duration.ofSeconds(1)));
    }

    private void lose(SuiteVariant variant) {
        will(variant, SuiteOutcome.lost(Map.of(), Duration.ZERO, "killed"));
    }

    private void will(SuiteVariant variant, SuiteOutcome outcome) {
        prepared.computeIfAbsent(variant, key -> new ArrayDeque<>()).add(outcome);
    }

    private SuiteResult compare(boolean stockAlways) {
        return compare(stockAlways, (result, difference) -> false);
    }

    private SuiteResult compare(boolean stockAlways, BiPredicate<SuiteResult, Difference> explained) {
        return new SuiteComparison(RDMA, stockAlways, explained).compare(SUITE, variant -> {
            runs.add(variant);
            return Objects.requireNonNull(prepared.get(variant)).remove();
        });
    }
}
