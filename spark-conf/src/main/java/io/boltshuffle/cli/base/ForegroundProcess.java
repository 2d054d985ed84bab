package io.boltshuffle.cli.base;

import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Runs a process in this command's place until it ends. The process gets the terminal, and ends when this command is
 * told to end.
 */
public final class ForegroundProcess {
    private ForegroundProcess() {}

    /** Runs the process and returns its exit code. */
    public static int run(ProcessBuilder command) {
        return run(command, ProcessTree.GRACE);
    }

    /** Runs a process that may take so long to end in good order. */
    public static int run(ProcessBuilder command, Duration grace) {
        return run(command, grace, started -> {});
    }

    /** Runs a process with an action beside it; {@code whenStarted} must return at once. */
    public static int run(ProcessBuilder command, Duration grace, Consumer<Process> whenStarted) {
        try (Teardown teardown = Teardown.hooked()) {
            Process process = teardown.start(command, grace);
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
