package io.boltshuffle.proof.conformance;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The runs of a suite in one variant, by one command or several: a test passed if it did so in any of them. */
record SuiteRuns(List<SuiteRun> runs) {
    static final SuiteRuns NONE = new SuiteRuns(List.of());

    SuiteRuns {
        runs = List.copyOf(runs);
    }

    SuiteRuns and(SuiteRun run) {
        return new SuiteRuns(Stream.concat(runs.stream(), Stream.of(run)).toList());
    }

    SortedSet<String> tests() {
        return runs.stream()
                .flatMap(run -> run.tests().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    boolean passed(String test) {
        return runs.stream().anyMatch(run -> run.passed(test));
    }

    /** Returns whether no run came to its end. */
    boolean isLost() {
        return runs.stream().allMatch(SuiteRun::isLost);
    }

    /** Returns whether all tests were never requested at once. */
    boolean partial() {
        return runs.stream().allMatch(SuiteRun::partial);
    }

    /** Returns the failed and skipped tests. */
    List<String> notPassed() {
        return tests().stream().filter(test -> !passed(test)).toList();
    }

    /** Returns the tests that passed in one run and not in another. */
    List<String> unsteady() {
        return tests().stream()
                .filter(test -> passed(test) && runs.stream().anyMatch(run -> run.missed(test)))
                .toList();
    }

    /** Returns the tests that passed here and in no run of the others, though they were requested there. */
    List<String> passedWithout(SuiteRuns others) {
        return tests().stream()
                .filter(test -> passed(test) && !others.passed(test))
                .filter(test -> others.runs.stream().anyMatch(run -> run.missed(test)))
                .toList();
    }

    long count(TestOutcome outcome) {
        return tests().stream().filter(test -> outcome(test) == outcome).count();
    }

    private TestOutcome outcome(String test) {
        return passed(test)
                ? TestOutcome.PASSED
                : runs.stream().anyMatch(run -> run.tests().get(test) == TestOutcome.FAILED)
                        ? TestOutcome.FAILED
                        : TestOutcome.SKIPPED;
    }

    /** Returns passed, failed and skipped as tables show them, with an asterisk if only some tests were requested. */
    String counts() {
        return runs.isEmpty()
                ? "-"
                : count(TestOutcome.PASSED) + "/" + count(TestOutcome.FAILED) + "/" + count(TestOutcome.SKIPPED)
                        + (partial() ? "*" : "");
    }

    /** Returns the run that tells what the plugin's manager was used for: the first one of all tests, or the first. */
    Stream<SuiteRun> whole() {
        return Stream.concat(
                        runs.stream()
                                .filter(run -> !run.partial() && !run.tally().isEmpty()),
                        runs.stream())
                .limit(1);
    }

    long tallied(String name) {
        return whole().mapToLong(run -> run.tally().getOrDefault(name, 0L)).sum();
    }
}
