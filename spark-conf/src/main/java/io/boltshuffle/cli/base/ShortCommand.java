package io.boltshuffle.cli.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the system that ends soon and has to succeed. */
public final class ShortCommand {
    private ShortCommand() {}

    /**
     * Returns what the program prints on either output. If it takes longer than {@code limit}, it is ended, and the
     * call fails.
     */
    public static String run(Duration limit, List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> readAll(process));
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw BoltException.failed(String.join(" ", command) + " took longer than " + limit.toSeconds() + " s");
            }
            String printed = output.join();
            if (process.exitValue() != 0) {
                throw BoltException.failed(
                        String.join(" ", command) + " ended with " + process.exitValue() + ": " + printed.strip());
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }

    private static String readAll(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
