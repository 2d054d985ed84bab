package io.boltshuffle.cli;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A process that takes this command's place until it ends: it gets the terminal, and goes when this command is told to go. */
final class ForegroundProcess {
    private ForegroundProcess() {}

    /** Returns the exit code. */
    static int run(ProcessBuilder command) {
        try (Teardown teardown = Teardown.hooked()) {
            Process process = command.start();
            teardown.push(() -> ProcessTree.end(process));
            return process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
