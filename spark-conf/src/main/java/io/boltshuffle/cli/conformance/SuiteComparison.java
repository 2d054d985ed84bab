package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs a suite's variants and compares them. Spark's suites are full of timing, and some pin an order of rows that no shuffle
 * promises, so a test is held against us only when it fails each time that the suite is repeated; one that passes once is named as
 * unsteady.
 */
final class SuiteComparison {

    /** A test that only tosses a coin fails each time once in 16 times. */
    private static final int REPETITIONS = 3;

    private final List<SuiteVariant> ours;
    private final boolean stockAlways;
    private final BiPredicate<SuiteResult, Difference> explained;

    /**
     * @param stockAlways false: stock is run only where ours has failures to compare
     * @param explained differences that are known to stay, and need no repetition
     */
    SuiteComparison(List<SuiteVariant> ours, boolean stockAlways, BiPredicate<SuiteResult, Difference> explained) {
        this.ours = ours;
        this.stockAlways = stockAlways;
        this.explained = explained;
    }

    /** @param run runs the suite once, as the given variant */
    SuiteResult compare(Suite suite, Function<SuiteVariant, SuiteOutcome> run) {
        SuiteResult result = new SuiteResult(suite, Map.of(), List.of());
        for (SuiteVariant variant : ours) {
            result = result.and(variant, run.apply(variant));
        }
        if (stockAlways || result.hasFailures()) {
            result = result.and(SuiteVariant.STOCK, run.apply(SuiteVariant.STOCK));
        }
        for (int i = 0; i < REPETITIONS && !differing(result).isEmpty(); i++) {
            for (SuiteVariant variant : differing(result)) {
                result = result.and(variant, run.apply(variant));
            }
        }
        return result;
    }

    private Set<SuiteVariant> differing(SuiteResult result) {
        return result.differences().stream()
                .filter(difference -> !explained.test(result, difference))
                .map(Difference::variant)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
