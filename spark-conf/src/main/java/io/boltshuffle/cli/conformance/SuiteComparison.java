package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Runs a suite's variants and compares them. Spark's suites are full of timing, so a test is held against us only when it fails
 * in two runs; one that passes in the second is named as unsteady.
 */
final class SuiteComparison {

    private final List<SuiteVariant> ours;
    private final boolean stockAlways;

    /** @param stockAlways false: stock is run only where ours has failures to compare */
    SuiteComparison(List<SuiteVariant> ours, boolean stockAlways) {
        this.ours = ours;
        this.stockAlways = stockAlways;
    }

    /** @param run runs the suite once, as the given variant */
    SuiteResult compare(Suite suite, Function<SuiteVariant, SuiteOutcome> run) {
        Map<SuiteVariant, SuiteOutcome> outcomes = new EnumMap<>(SuiteVariant.class);
        ours.forEach(variant -> outcomes.put(variant, run.apply(variant)));
        boolean anyFailed =
                outcomes.values().stream().anyMatch(outcome -> !outcome.failed().isEmpty());
        List<Difference> unsteady = new ArrayList<>();
        if (stockAlways || anyFailed) {
            SuiteOutcome stock = run.apply(SuiteVariant.STOCK);
            for (SuiteVariant variant : ours) {
                SuiteOutcome first = outcomes.getOrDefault(variant, stock);
                List<String> missed = stock.passedWithout(first);
                if (!missed.isEmpty()) {
                    SuiteOutcome both = first.mendedBy(run.apply(variant));
                    outcomes.put(variant, both);
                    missed.stream().filter(both::passed).forEach(test -> unsteady.add(new Difference(variant, test)));
                }
            }
            outcomes.put(SuiteVariant.STOCK, stock);
        }
        return new SuiteResult(suite, outcomes, unsteady);
    }
}
