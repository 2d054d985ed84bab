package io.boltshuffle.proof.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of a suite on one Spark release.
 *
 * @param variants those that were run; stock may be missing, or partial, if the plugin had no failure to compare
 * @param leaks what agents had not got back after the suite, one line each
 */
record SuiteResult(String release, Suite suite, Map<SuiteVariant, SuiteRuns> variants, List<String> leaks) {

    SuiteResult {
        variants = Map.copyOf(variants);
        leaks = List.copyOf(leaks);
    }

    /** A test that stock passed and this variant did not, or that this variant did not pass each time. */
    record Difference(SuiteVariant variant, String test) {}

    /** Returns the line, such as 4.2. */
    String sparkLine() {
        return release.substring(0, release.lastIndexOf('.'));
    }

    SuiteRuns runs(SuiteVariant variant) {
        return variants.getOrDefault(variant, SuiteRuns.NONE);
    }

    /** Returns the tests that pass with stock Spark and not with the plugin. */
    List<Difference> differences() {
        List<Difference> differences = new ArrayList<>();
        for (SuiteVariant variant : SuiteVariant.values()) {
            runs(SuiteVariant.STOCK)
                    .passedWithout(runs(variant))
                    .forEach(test -> differences.add(new Difference(variant, test)));
        }
        return differences;
    }

    List<Difference> unsteady() {
        List<Difference> unsteady = new ArrayList<>();
        for (SuiteVariant variant : SuiteVariant.values()) {
            runs(variant).unsteady().forEach(test -> unsteady.add(new Difference(variant, test)));
        }
        return unsteady;
    }

    /** Returns the tests that some variant failed or skipped. */
    Set<String> notPassed() {
        return variants.values().stream()
                .flatMap(runs -> runs.notPassed().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the result with one more run. */
    SuiteResult and(SuiteVariant variant, SuiteRun run) {
        Map<SuiteVariant, SuiteRuns> all = new EnumMap<>(SuiteVariant.class);
        all.putAll(variants);
        all.put(variant, runs(variant).and(run));
        return new SuiteResult(release, suite, all, leaks);
    }
}
