package io.boltshuffle.proof.conformance;

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
 * @param tally what our manager was used for, by the names of {@code SuiteTally} and of the plugin's counters; lower
 * bounds
 * @param lastWords of the log of a suite that did not come to its end; empty for others
 * @param partial whether only some of its tests were asked for, so that nothing follows from the absence of others
 */
record SuiteOutcome(
        SortedMap<String, TestOutcome> tests,
        Map<String, Long> tally,
        Duration wall,
        String lastWords,
        boolean partial) {

    /** A suite that did not come to its end. */
    static final String WHOLE_SUITE = "(the suite)";

    SuiteOutcome {
        tests = Collections.unmodifiableSortedMap(new TreeMap<>(tests));
        tally = Map.copyOf(tally);
    }

    /** A suite that came to its end, all of it. */
    SuiteOutcome(SortedMap<String, TestOutcome> tests, Map<String, Long> tally, Duration wall) {
        this(tests, tally, wall, "", false);
    }

    /** A suite whose JVM ended without a report. */
    static SuiteOutcome lost(Map<String, Long> tally, Duration wall, String lastWords) {
        return new SuiteOutcome(new TreeMap<>(Map.of(WHOLE_SUITE, TestOutcome.FAILED)), tally, wall, lastWords, false);
    }

    /** Whether it ended without a report. */
    boolean isLost() {
        return tests.containsKey(WHOLE_SUITE);
    }

    long count(TestOutcome outcome) {
        return tests.values().stream().filter(outcome::equals).count();
    }

    /** Passed, failed and skipped, as tables have them; with an asterisk if only some tests were asked for. */
    String counts() {
        return count(TestOutcome.PASSED) + "/" + count(TestOutcome.FAILED) + "/" + count(TestOutcome.SKIPPED)
                + (partial ? "*" : "");
    }

    /** The same outcome, of a run that was asked for some of the tests. */
    SuiteOutcome ofSome() {
        return new SuiteOutcome(tests, tally, wall, lastWords, true);
    }

    /** Failed and skipped. */
    List<String> notPassed() {
        return tests.keySet().stream().filter(test -> !passed(test)).toList();
    }

    boolean passed(String test) {
        return tests.get(test) == TestOutcome.PASSED;
    }

    /** What passed here and not there: failed, skipped, or not so much as reported where all were asked for. */
    List<String> passedWithout(SuiteOutcome other) {
        return tests.keySet().stream()
                .filter(this::passed)
                .filter(test -> !other.partial || other.tests.containsKey(test))
                .filter(test -> !other.passed(test))
                .toList();
    }

    /**
     * Of a suite that ran twice: a test passed if it did so in either run. The rest is the first run's, or the whole
     * one's.
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
