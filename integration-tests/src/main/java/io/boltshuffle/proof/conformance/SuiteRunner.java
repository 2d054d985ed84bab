package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs a suite in a JVM of its own, to its end or to its deadline, and reads the files that it left. */
final class SuiteRunner {

    private static final long POLL_MILLIS = 500;

    /** Executors outlive a suite's JVM by the time they take to notice, and to write their tallies. */
    private static final Duration EXECUTORS_END = Duration.ofSeconds(60);

    private final SuiteJvm jvm;
    private final Duration deadline;
    private final Console console;
    private final Teardown teardown;

    SuiteRunner(SuiteJvm jvm, Duration deadline, Console console, Teardown teardown) {
        this.jvm = jvm;
        this.deadline = deadline;
        this.console = console;
        this.teardown = teardown;
    }

    /**
     * Runs a suite.
     *
     * @param tests of the suite; the outcome is empty if it has no such tests
     */
    SuiteOutcome run(Suite suite, TestChoice tests, SuiteVariant variant, SuiteDirectory directory) {
        long startNanos = System.nanoTime();
        String title = suite.shortName() + ", " + variant.label();
        Process process;
        boolean late = false;
        try {
            process = teardown.start(jvm.prepare(suite, tests, variant, directory));
            process.getOutputStream().close();
            Set<ProcessHandle> executors = new HashSet<>();
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(executors::add);
                Duration elapsed = since(startNanos);
                console.status("  " + title + ": " + elapsed.toSeconds() + " s");
                if (elapsed.compareTo(deadline) > 0) {
                    console.line(title + " was ended after " + deadline.toMinutes() + " minutes; its log: "
                            + directory.log());
                    ProcessTree.end(process);
                    late = true;
                }
            }
            ProcessTree.await(executors, EXECUTORS_END);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
        console.clearStatus();
        SuiteOutcome outcome = outcome(directory, late, since(startNanos));
        if (tests.isAll()) {
            return outcome;
        }
        if (outcome.isLost() && !late && process.exitValue() == 0) {
            console.line(title + ": no such test");
            return new SuiteOutcome(new TreeMap<>(), Map.of(), outcome.wall()).ofSome();
        }
        return outcome.ofSome();
    }

    /**
     * Reads the outcome.
     *
     * @param late whether the suite was ended at its deadline: that made its last tests fail, and its report may be
     * incomplete
     */
    static SuiteOutcome outcome(SuiteDirectory directory, boolean late, Duration wall) {
        SortedMap<String, TestOutcome> tests =
                late ? Collections.emptySortedMap() : SuiteReports.tests(directory.reports());
        Map<String, Long> tally = SuiteReports.tally(directory.tallies());
        return tests.isEmpty()
                ? SuiteOutcome.lost(tally, wall, SuiteLog.lastWords(directory.log()))
                : new SuiteOutcome(tests, tally, wall);
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
