package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A long-running process whose log says when it is ready.
 *
 * <p><b>Ownership:</b> the teardown ends the process and everything it started.
 */
public final class Daemon {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration END_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;

    private final String name;
    private final Process process;
    private final Path log;

    private Daemon(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** @param title of its log and of its record in the run directory */
    public static Daemon start(String name, ProcessBuilder command, RunDirectory run, String title, Teardown teardown) {
        Path log = run.log(title);
        ProcessBuilder daemon = run.outlives() ? outliving(command, run.root()) : command;
        try {
            Process process = teardown.start(daemon.redirectErrorStream(true).redirectOutput(log.toFile()));
            run.record(title, process.toHandle());
            return new Daemon(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a process survive the command. Closing the terminal and Ctrl-C in it reach every process that was started
     * from it; Java leaves ignored signals ignored.
     */
    private static ProcessBuilder outliving(ProcessBuilder command, Path directory) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh"));
        words.addAll(command.command());
        return command.command(words)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    }

    /** Waits until the log matches {@code ready} and returns the first group of the match. */
    public String await(Pattern ready) {
        long deadlineNanos = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            boolean ended = endsWithin(POLL_MILLIS);
            Matcher matcher = ready.matcher(logged());
            if (matcher.find()) {
                return matcher.group(1);
            }
            if (ended) {
                throw BoltException.failed(name + " ended before it was ready: " + LogExcerpt.ofFailure(log));
            }
        }
        throw BoltException.failed(
                name + " was not ready within " + START_LIMIT.toSeconds() + " s: " + LogExcerpt.ofFailure(log));
    }

    /** Returns the CPU time used so far; zero if the system does not say. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public long processId() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits a bounded time for the end of a process that was told to end. */
    void awaitEnd() {
        if (!endsWithin(END_LIMIT.toMillis())) {
            throw BoltException.failed(name + " has not ended within " + END_LIMIT.toSeconds() + " s");
        }
    }

    private boolean endsWithin(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }

    String logged() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
