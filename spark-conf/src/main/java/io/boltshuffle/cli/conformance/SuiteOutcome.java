package io.boltshuffle.cli.conformance;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of a suite, run once.
 *
 * @param tests by their names; that of {@link #WHOLE_SUITE} stands for what no test reported
 * @param tally what our manager was used for, by the names of {@code SuiteTally} and of the plugin's counters; lower bounds
 */
record SuiteOutcome(SortedMap<String, TestOutcome> tests, Map<String, Long> tally, Duration wall) {

    /** A suite that did not come to its end. */
    static final String WHOLE_SUITE = "(the suite)";

    SuiteOutcome {
        tests = Collections.unmodifiableSortedMap(new TreeMap<>(tests));
        tally = Map.copyOf(tally);
    }

    /** A suite whose JVM ended without a report. */
    static SuiteOutcome lost(Map<String, Long> tally, Duration wall) {
        return new SuiteOutcome(new TreeMap<>(Map.of(WHOLE_SUITE, TestOutcome.FAILED)), tally, wall);
    }

    long count(TestOutcome outcome) {
        return tests.values().stream().filter(outcome::equals).count();
    }

    List<String> failed() {
        return tests.entrySet().stream()
                .filter(test -> test.getValue() == TestOutcome.FAILED)
                .map(Map.Entry::getKey)
                .toList();
    }

    boolean passed(String test) {
        return tests.get(test) == TestOutcome.PASSED;
    }

    /** The same, but for tests that failed here and passed in {@code repetition}. */
    SuiteOutcome mendedBy(SuiteOutcome repetition) {
        SortedMap<String, TestOutcome> mended = new TreeMap<>(tests);
        failed().stream().filter(repetition::passed).forEach(test -> mended.put(test, TestOutcome.PASSED));
        return new SuiteOutcome(mended, tally, wall);
    }

    long tallied(String name) {
        return tally.getOrDefault(name, 0L);
    }
}
