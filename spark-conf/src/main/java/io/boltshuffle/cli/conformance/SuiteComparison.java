package io.boltshuffle.cli.conformance;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Runs a suite's variants and compares them. Spark's suites are full of timing, and some pin an order of rows that no shuffle
 * promises, so a difference has to stand: the suite is repeated, by turns with ours and with stock, until each test in question
 * has passed with ours or failed with stock, which makes it unsteady, or has done neither in so many runs.
 */
final class SuiteComparison {

    /** A test that only tosses a coin stays a difference once in 256 times. */
    private static final int REPETITIONS = 3;

    private final List<SuiteVariant> ours;
    private final boolean stockAlways;

    /** @param stockAlways false: stock is run only where ours has failures to compare */
    SuiteComparison(List<SuiteVariant> ours, boolean stockAlways) {
        this.ours = ours;
        this.stockAlways = stockAlways;
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
        for (int i = 0; i < REPETITIONS && !result.differences().isEmpty(); i++) {
            for (SuiteVariant variant : result.differing()) {
                result = result.and(variant, run.apply(variant));
            }
            if (!result.differences().isEmpty()) {
                result = result.and(SuiteVariant.STOCK, run.apply(SuiteVariant.STOCK));
            }
        }
        return result;
    }
}
