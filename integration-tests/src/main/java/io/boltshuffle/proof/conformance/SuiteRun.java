package io.boltshuffle.proof.conformance;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcome of one run of a suite.
 *
 * @param tests by their names; none if the suite did not come to its end
 * @param tally what the plugin's manager was used for, by the names of {@code SuiteTally} and of the plugin's counters;
 *     lower bounds
 * @param partial whether only some of its tests were requested, so that nothing follows from the absence of others
 * @param lastWords of the log of a suite that did not come to its end; empty for others
 */
record SuiteRun(
        SortedMap<String, TestOutcome> tests,
        Map<String, Long> tally,
        long seconds,
        boolean partial,
        String lastWords) {

    SuiteRun {
        tests = Collections.unmodifiableSortedMap(new TreeMap<>(tests));
        tally = Map.copyOf(tally);
    }

    /** Reads what a run that has ended left in its directory. */
    static SuiteRun read(SuiteDirectory directory) {
        SuiteDirectory.End end = directory.end();
        SortedMap<String, TestOutcome> tests =
                end.late() ? Collections.emptySortedMap() : SuiteReports.tests(directory.reports());
        boolean lost = tests.isEmpty() && (end.late() || !end.partial() || end.exitCode() != 0);
        return new SuiteRun(
                tests,
                SuiteReports.tally(directory.tallies()),
                end.seconds(),
                end.partial(),
                lost ? SuiteLog.lastWords(directory.log()) : "");
    }

    /** Returns whether the suite did not come to its end. */
    boolean isLost() {
        return !lastWords.isEmpty();
    }

    boolean passed(String test) {
        return tests.get(test) == TestOutcome.PASSED;
    }

    /** Returns whether the run should have passed the test and did not: it failed, was skipped, or was not reported. */
    boolean missed(String test) {
        return !passed(test) && (!partial || tests.containsKey(test));
    }
}
