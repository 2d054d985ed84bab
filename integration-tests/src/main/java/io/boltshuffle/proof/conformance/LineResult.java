package io.boltshuffle.proof.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of all suites of one Spark line.
 *
 * @param leaks what agents had not got back after a suite, one line each
 */
record LineResult(String sparkRelease, List<SuiteResult> suites, List<String> leaks) {

    /** The plugin's counter of bytes that came by RDMA. */
    private static final String RDMA_BYTES = "bytes.rdma";

    /** {@code SuiteTally}'s count of shuffle managers. */
    private static final String MANAGERS = "managers";

    LineResult {
        suites = List.copyOf(suites);
        leaks = List.copyOf(leaks);
    }

    /** Returns the line, such as 4.2. */
    String sparkLine() {
        return sparkRelease.substring(0, sparkRelease.lastIndexOf('.'));
    }

    /** Returns why this is no proof, or proof of the contrary; one line each, empty if all is well. */
    List<String> faults(Explanations explanations) {
        List<String> faults = new ArrayList<>(faultsOfPart(explanations));
        if (ran(SuiteVariant.RDMA) && rdmaBytes() == 0) {
            faults.add(titled("no byte came by RDMA in any suite"));
        }
        return faults;
    }

    /** Returns the faults of a part of a run. Its suites may be some that fetch nothing. */
    List<String> faultsOfPart(Explanations explanations) {
        List<String> faults = new ArrayList<>();
        for (SuiteResult result : suites) {
            result.differences().stream()
                    .filter(difference ->
                            explanations.reason(this, result, difference).isEmpty())
                    .forEach(difference -> faults.add(result.suite().shortName() + ", "
                            + difference.variant().label() + ": '" + difference.test()
                            + "' passes with Spark's shuffle and not with ours"));
            new TreeMap<>(result.outcomes())
                    .forEach((variant, outcome) -> unproved(variant, outcome)
                            .ifPresent(reason ->
                                    faults.add(result.suite().shortName() + ", " + variant.label() + ": " + reason)));
        }
        faults.addAll(leaks);
        return faults.stream().map(this::titled).toList();
    }

    private String titled(String fault) {
        return "Spark " + sparkRelease + ", " + fault;
    }

    private static Optional<String> unproved(SuiteVariant variant, SuiteOutcome outcome) {
        if (outcome.isLost()) {
            String words = outcome.lastWords();
            return Optional.of("the suite did not come to its end" + (words.isEmpty() ? "" : ": " + words));
        }
        return variant != SuiteVariant.STOCK && outcome.tallied(MANAGERS) == 0
                ? Optional.of("our shuffle manager was never made, so this proves nothing")
                : Optional.empty();
    }

    /** Combines the same line's runs of two commands. */
    LineResult and(LineResult other) {
        Map<Suite, SuiteResult> merged = new LinkedHashMap<>();
        Stream.concat(suites.stream(), other.suites.stream())
                .forEach(result -> merged.merge(result.suite(), result, SuiteResult::and));
        List<String> allLeaks =
                Stream.concat(leaks.stream(), other.leaks.stream()).toList();
        return new LineResult(sparkRelease, List.copyOf(merged.values()), allLeaks);
    }

    private boolean ran(SuiteVariant variant) {
        return suites.stream().anyMatch(result -> result.outcomes().containsKey(variant));
    }

    private long rdmaBytes() {
        return suites.stream()
                .flatMap(result -> result.outcomes().values().stream())
                .mapToLong(outcome -> outcome.tallied(RDMA_BYTES))
                .sum();
    }
}
