package io.boltshuffle.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The remains of a process that ended: its exit code, and both of its outputs in one text. */
record FinishedProcess(int exitCode, String output) {

    /** Reads the output to its end, while the process runs; a process that does not end in time is killed. */
    static CompletableFuture<FinishedProcess> of(Process process, long timeoutSeconds) {
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
        return CompletableFuture.supplyAsync(() -> new FinishedProcess(await(process, timeoutSeconds), output.join()));
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int await(Process process, long timeoutSeconds) {
        try {
            if (process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IllegalStateException("killed after " + timeoutSeconds + " s: " + process.info());
    }
}
