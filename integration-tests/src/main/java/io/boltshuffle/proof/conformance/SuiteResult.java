package io.boltshuffle.proof.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of a suite on one Spark line.
 *
 * @param outcomes of each variant that was run; stock may be missing, or partial, if the plugin had no failure to
 * compare
 * @param unsteady tests that failed in one run and passed in another of the same variant
 */
record SuiteResult(Suite suite, Map<SuiteVariant, SuiteOutcome> outcomes, List<Difference> unsteady) {

    SuiteResult {
        outcomes = Map.copyOf(outcomes);
        unsteady = List.copyOf(unsteady);
    }

    /** A test that stock passed and this variant did not. */
    record Difference(SuiteVariant variant, String test) {}

    /** Returns the tests that pass with stock Spark and not with the plugin. */
    List<Difference> differences() {
        SuiteOutcome stock = outcomes.get(SuiteVariant.STOCK);
        List<Difference> differences = new ArrayList<>();
        for (SuiteVariant variant : SuiteVariant.values()) {
            SuiteOutcome ours = outcomes.get(variant);
            if (stock != null && ours != null) {
                stock.passedWithout(ours).forEach(test -> differences.add(new Difference(variant, test)));
            }
        }
        return differences;
    }

    /** Returns whether no run of the variant reached the suite's end. */
    boolean isLost(SuiteVariant variant) {
        SuiteOutcome outcome = outcomes.get(variant);
        return outcome != null && outcome.isLost();
    }

    /** Returns the tests that some variant failed or skipped. */
    Set<String> notPassed() {
        return outcomes.values().stream()
                .flatMap(outcome -> outcome.notPassed().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the result with one more run. */
    SuiteResult and(SuiteVariant variant, SuiteOutcome run) {
        return and(new SuiteResult(suite, Map.of(variant, run), List.of()));
    }

    /**
     * Combines the same suite's runs of two commands. A test that both ran counts as a run and its repetition: it
     * passed if it did so in either.
     */
    SuiteResult and(SuiteResult other) {
        Map<SuiteVariant, SuiteOutcome> all = new EnumMap<>(SuiteVariant.class);
        all.putAll(outcomes);
        Set<Difference> uneven = new LinkedHashSet<>(unsteady);
        uneven.addAll(other.unsteady);
        other.outcomes.forEach((variant, second) -> {
            SuiteOutcome first = all.get(variant);
            if (first == null) {
                all.put(variant, second);
            } else {
                first.passedWithout(second).forEach(test -> uneven.add(new Difference(variant, test)));
                second.passedWithout(first).forEach(test -> uneven.add(new Difference(variant, test)));
                all.put(variant, first.mendedBy(second));
            }
        });
        return new SuiteResult(suite, all, List.copyOf(uneven));
    }
}
