package io.boltshuffle.proof.conformance;

import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Runs a suite's variants and compares them. Spark's suites depend on timing, and some pin an order of rows that no
 * shuffle promises. A test therefore counts as a difference only if it fails each time that it is repeated, on its own;
 * one that passes once is listed as unsteady.
 */
final class SuiteComparison {

    /** A test whose result is random fails each time once in 16 times. */
    private static final int REPETITIONS = 3;

    private final TestChoice tests;
    private final List<SuiteVariant> ours;
    private final boolean stockAlways;
    private final BiPredicate<SuiteResult, Difference> explained;

    /**
     * @param stockAlways false: stock runs only tests that fail or are skipped with the plugin
     * @param explained differences that are known to stay, and need no repetition
     */
    SuiteComparison(
            TestChoice tests,
            List<SuiteVariant> ours,
            boolean stockAlways,
            BiPredicate<SuiteResult, Difference> explained) {
        this.tests = tests;
        this.ours = ours;
        this.stockAlways = stockAlways;
        this.explained = explained;
    }

    /** @param run runs the suite once, all of it or some of its tests, as the given variant */
    SuiteResult compare(String release, Suite suite, BiFunction<SuiteVariant, TestChoice, SuiteRun> run) {
        SuiteResult result = new SuiteResult(release, suite, Map.of(), List.of());
        for (SuiteVariant variant : ours) {
            result = result.and(variant, run.apply(variant, tests));
        }
        if (stockAlways) {
            result = result.and(SuiteVariant.STOCK, run.apply(SuiteVariant.STOCK, tests));
        } else if (result.variants().values().stream().anyMatch(SuiteRuns::isLost)) {
            result = result.and(SuiteVariant.STOCK, run.apply(SuiteVariant.STOCK, TestChoice.ALL));
        } else if (!result.notPassed().isEmpty()) {
            result =
                    result.and(SuiteVariant.STOCK, run.apply(SuiteVariant.STOCK, TestChoice.named(result.notPassed())));
        }
        for (int i = 0; i < REPETITIONS; i++) {
            for (Map.Entry<SuiteVariant, TestChoice> again : differing(result).entrySet()) {
                result = result.and(again.getKey(), run.apply(again.getKey(), again.getValue()));
            }
        }
        return result;
    }

    /** Returns the unexplained differences. A suite that was lost is repeated as a whole. */
    private Map<SuiteVariant, TestChoice> differing(SuiteResult result) {
        Map<SuiteVariant, Set<String>> names = result.differences().stream()
                .filter(difference -> !explained.test(result, difference))
                .collect(Collectors.groupingBy(
                        Difference::variant,
                        () -> new EnumMap<>(SuiteVariant.class),
                        Collectors.mapping(Difference::test, Collectors.toSet())));
        Map<SuiteVariant, TestChoice> choices = new EnumMap<>(SuiteVariant.class);
        names.forEach((variant, tests) ->
                choices.put(variant, result.runs(variant).isLost() ? TestChoice.ALL : TestChoice.named(tests)));
        return choices;
    }
}
