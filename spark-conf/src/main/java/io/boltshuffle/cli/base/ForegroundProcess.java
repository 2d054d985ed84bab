package io.boltshuffle.cli.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A process that takes this command's place until it ends: it gets the terminal, and goes when this command is told to
 * go.
 */
public final class ForegroundProcess {
    private ForegroundProcess() {}

    /** Returns the exit code. */
    public static int run(ProcessBuilder command) {
        return run(command, ProcessTree.GRACE);
    }

    /** The same for a process that may take so long to end in good order. */
    public static int run(ProcessBuilder command, Duration grace) {
        return run(command, grace, started -> {});
    }

    /** The same, with something to do beside it; {@code whenStarted} returns at once. */
    public static int run(ProcessBuilder command, Duration grace, Consumer<Process> whenStarted) {
        try (Teardown teardown = Teardown.hooked()) {
            Process process = teardown.open(command::start, started -> ProcessTree.end(started, grace));
            whenStarted.accept(process);
            return process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
