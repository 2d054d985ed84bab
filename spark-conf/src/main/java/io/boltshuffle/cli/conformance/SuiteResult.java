package io.boltshuffle.cli.conformance;

import java.util.List;
import java.util.Map;

/**
 * A suite on one Spark line, compared.
 *
 * @param outcomes of each variant that was run; stock may be missing where ours had no failure to compare
 * @param differences tests that stock passes and ours does not, twice
 * @param unsteady tests that failed with ours once and passed when the suite was repeated
 */
record SuiteResult(
        Suite suite,
        Map<SuiteVariant, SuiteOutcome> outcomes,
        List<Difference> differences,
        List<Difference> unsteady) {

    SuiteResult {
        outcomes = Map.copyOf(outcomes);
        differences = List.copyOf(differences);
        unsteady = List.copyOf(unsteady);
    }

    /** A test that stock passed and this variant did not. */
    record Difference(SuiteVariant variant, String test) {}
}
