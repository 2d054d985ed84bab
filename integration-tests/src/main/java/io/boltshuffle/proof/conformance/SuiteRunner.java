package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
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

    /** @param tests of the suite; the run has none if the suite has no such tests */
    SuiteRun run(Suite suite, TestChoice tests, SuiteVariant variant, SuiteDirectory directory) {
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
        directory.end(new SuiteDirectory.End(
                !tests.isAll(), late, process.exitValue(), since(startNanos).toSeconds()));
        SuiteRun run = SuiteRun.read(directory);
        if (run.tests().isEmpty() && !run.isLost()) {
            console.line(title + ": no such test");
        }
        return run;
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
