package io.boltshuffle.proof.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A suite on one Spark line.
 *
 * @param outcomes of each variant that was run; stock may be missing, or partial, where ours had no failure to compare
 * @param unsteady tests that failed in one run and passed in another of the same variant
 */
record SuiteResult(Suite suite, Map<SuiteVariant, SuiteOutcome> outcomes, List<Difference> unsteady) {

    SuiteResult {
        outcomes = Map.copyOf(outcomes);
        unsteady = List.copyOf(unsteady);
    }

    /** A test that stock passed and this variant did not. */
    record Difference(SuiteVariant variant, String test) {}

    /** Tests that stock passes and ours does not. */
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

    /** Whether the variant never came to the suite's end. */
    boolean isLost(SuiteVariant variant) {
        SuiteOutcome outcome = outcomes.get(variant);
        return outcome != null && outcome.isLost();
    }

    /** Tests that some variant failed or skipped. */
    Set<String> notPassed() {
        return outcomes.values().stream()
                .flatMap(outcome -> outcome.notPassed().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** With one more run. */
    SuiteResult and(SuiteVariant variant, SuiteOutcome run) {
        return and(new SuiteResult(suite, Map.of(variant, run), List.of()));
    }

    /**
     * The same suite's runs of two commands. What both ran counts as a run and its repetition: a test passed if it did
     * in either.
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
