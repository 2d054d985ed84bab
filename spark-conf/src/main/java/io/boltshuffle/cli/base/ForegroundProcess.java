package io.boltshuffle.cli.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A process that takes this command's place until it ends: it gets the terminal, and goes when this command is told to go. */
public final class ForegroundProcess {
    private ForegroundProcess() {}

    /** Returns the exit code. */
    public static int run(ProcessBuilder command) {
        return run(command, ProcessTree.GRACE);
    }

    /** The same for a process that may take so long to end in good order. */
    public static int run(ProcessBuilder command, Duration grace) {
        try (Teardown teardown = Teardown.hooked()) {
            Process process = teardown.open(command::start, started -> ProcessTree.end(started, grace));
            return process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
