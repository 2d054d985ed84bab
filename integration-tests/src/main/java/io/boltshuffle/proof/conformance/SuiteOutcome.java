package io.boltshuffle.proof.conformance;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcome of one run of a suite.
 *
 * @param tests by their names; that of {@link #WHOLE_SUITE} stands for what no test reported
 * @param tally what the plugin's manager was used for, by the names of {@code SuiteTally} and of the plugin's counters;
 * lower bounds
 * @param lastWords of the log of a suite that did not end; empty for others
 * @param partial whether only some of its tests were requested, so that nothing follows from the absence of others
 */
record SuiteOutcome(
        SortedMap<String, TestOutcome> tests,
        Map<String, Long> tally,
        Duration wall,
        String lastWords,
        boolean partial) {

    /** The name for a suite that did not end. */
    static final String WHOLE_SUITE = "(the suite)";

    SuiteOutcome {
        tests = Collections.unmodifiableSortedMap(new TreeMap<>(tests));
        tally = Map.copyOf(tally);
    }

    /** Creates the outcome of a whole suite that ended. */
    SuiteOutcome(SortedMap<String, TestOutcome> tests, Map<String, Long> tally, Duration wall) {
        this(tests, tally, wall, "", false);
    }

    /** Returns the outcome of a suite whose JVM ended without a report. */
    static SuiteOutcome lost(Map<String, Long> tally, Duration wall, String lastWords) {
        return new SuiteOutcome(new TreeMap<>(Map.of(WHOLE_SUITE, TestOutcome.FAILED)), tally, wall, lastWords, false);
    }

    /** Returns whether it ended without a report. */
    boolean isLost() {
        return tests.containsKey(WHOLE_SUITE);
    }

    long count(TestOutcome outcome) {
        return tests.values().stream().filter(outcome::equals).count();
    }

    /** Returns passed, failed and skipped as tables show them, with an asterisk if only some tests were requested. */
    String counts() {
        return count(TestOutcome.PASSED) + "/" + count(TestOutcome.FAILED) + "/" + count(TestOutcome.SKIPPED)
                + (partial ? "*" : "");
    }

    /** Returns the same outcome for a run of which only some tests were requested. */
    SuiteOutcome ofSome() {
        return new SuiteOutcome(tests, tally, wall, lastWords, true);
    }

    /** Returns the failed and skipped tests. */
    List<String> notPassed() {
        return tests.keySet().stream().filter(test -> !passed(test)).toList();
    }

    boolean passed(String test) {
        return tests.get(test) == TestOutcome.PASSED;
    }

    /**
     * Returns the tests that passed here and not there: they failed, were skipped, or were not even reported although
     * all were requested.
     */
    List<String> passedWithout(SuiteOutcome other) {
        return tests.keySet().stream()
                .filter(this::passed)
                .filter(test -> !other.partial || other.tests.containsKey(test))
                .filter(test -> !other.passed(test))
                .toList();
    }

    /**
     * Combines two runs of a suite: a test passed if it did so in either run. The rest comes from the first run, or
     * from the whole one.
     */
    SuiteOutcome mendedBy(SuiteOutcome repetition) {
        SortedMap<String, TestOutcome> mended = new TreeMap<>(repetition.tests);
        tests.forEach((test, outcome) ->
                mended.merge(test, outcome, (there, here) -> there == TestOutcome.PASSED ? there : here));
        if (mended.size() > 1) {
            mended.remove(WHOLE_SUITE);
        }
        SuiteOutcome kept = tally.isEmpty() || (partial && !repetition.partial) ? repetition : this;
        return new SuiteOutcome(
                mended,
                kept.tally,
                kept.wall,
                mended.containsKey(WHOLE_SUITE) ? repetition.lastWords : "",
                partial && repetition.partial);
    }

    long tallied(String name) {
        return tally.getOrDefault(name, 0L);
    }
}
