package io.boltshuffle.cli.job;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.LogExcerpt;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * One driver that runs several jobs, each when it is told to, so that all but the first find its code loaded and
 * compiled. Two series can take turns.
 *
 * <p><b>Ownership:</b> whoever opens it closes it, which lets the driver end; the teardown ends it in any case.
 */
public final class JobSeries implements AutoCloseable {
    private final String name;
    private final Path log;
    private final Console console;
    private final Process driver;
    private final BufferedReader lines;

    private JobSeries(String name, Path log, Console console, Process driver) {
        this.name = name;
        this.log = log;
        this.console = console;
        this.driver = driver;
        this.lines = driver.inputReader();
    }

    static JobSeries start(String name, ProcessBuilder submit, Path log, Console console, Teardown teardown) {
        submit.redirectError(log.toFile());
        try {
            return new JobSeries(name, log, console, teardown.start(submit));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the next job of the series to its end. Progress is told under {@code job}. */
    public JobOutcome next(String job) {
        DriverOutput output = new DriverOutput(job, console);
        try {
            driver.getOutputStream().write('\n');
            driver.getOutputStream().flush();
            boolean done = output.readProgram(lines);
            console.clearStatus();
            if (!done) {
                throw failed(job);
            }
            return output.outcome();
        } catch (IOException e) { // the driver has ended
            throw failed(job);
        }
    }

    private BoltException failed(String job) {
        waitForEnd();
        return BoltException.failed(job + " failed: " + LogExcerpt.ofFailure(log));
    }

    /** Lets the driver end, and waits for that. */
    @Override
    public void close() {
        try {
            driver.getOutputStream().close();
        } catch (IOException e) {
            // It has ended before.
        }
        if (waitForEnd() != 0) {
            throw failed(name);
        }
    }

    private int waitForEnd() {
        try {
            return driver.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
