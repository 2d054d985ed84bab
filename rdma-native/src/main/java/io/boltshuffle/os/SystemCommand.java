package io.boltshuffle.os;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program that ends soon, for a bounded time. It reads nothing. Its output goes through files, so that a
 * grandchild that keeps a pipe open cannot hold the caller. Past its limit it is asked to end, then killed, with all
 * that it started.
 */
public final class SystemCommand {

    /** The output that is kept of each of the two streams, in bytes; what a program prints beyond it is cut off. */
    public static final int MAX_OUTPUT_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SystemCommand.class);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final File NO_INPUT = new File("/dev/null");

    /** The way in which a program ended. */
    public enum Ending {
        /** It ended by itself; the exit code is its own. */
        ENDED,
        /** It did not end within its limit and was ended. */
        TIMED_OUT,
        /** The system could not start it, which mostly means that there is no such program. */
        NOT_STARTED,
        /** The calling thread was interrupted; its flag is set again. */
        INTERRUPTED
    }

    /**
     * The outcome of a program.
     *
     * @param exitCode -1 unless it ended by itself
     * @param stdout what it printed before the end, however it ended
     * @param stderr the same of standard error
     */
    public record Result(Ending ending, int exitCode, String stdout, String stderr) {

        public boolean succeeded() {
            return ending == Ending.ENDED && exitCode == 0;
        }

        private static Result without(Ending ending) {
            return new Result(ending, -1, "", "");
        }
    }

    private SystemCommand() {}

    /** Returns the program's standard output; empty if it is missing, fails, or does not end within the limit. */
    public static String output(Duration limit, List<String> words) {
        Result result;
        try {
            result = run(limit, words);
        } catch (UncheckedIOException e) {
            LOG.debug("{}: {}", words, e.toString());
            return "";
        }
        if (result.ending() == Ending.TIMED_OUT) {
            LOG.warn("{} does not end", words);
        } else if (!result.succeeded()) {
            LOG.debug("{}: {}, exit code {}", words, result.ending(), result.exitCode());
        }
        return result.succeeded() ? result.stdout() : "";
    }

    /**
     * Runs a program in this process's directory and environment.
     *
     * @throws UncheckedIOException if its output cannot be kept in the directory for temporary files
     */
    public static Result run(Duration limit, List<String> words) {
        return run(limit, new ProcessBuilder(words));
    }

    /**
     * Runs a program in a directory and an environment of the caller's choice.
     *
     * @param command its input and output are redirected here
     * @throws UncheckedIOException if its output cannot be kept in the directory for temporary files
     */
    public static Result run(Duration limit, ProcessBuilder command) {
        try {
            Path directory = Files.createTempDirectory("boltshuffle-run");
            try {
                return run(limit, command, directory.resolve("stdout"), directory.resolve("stderr"));
            } finally {
                Files.deleteIfExists(directory.resolve("stdout"));
                Files.deleteIfExists(directory.resolve("stderr"));
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no temporary directory for the output of "
                            + command.command().get(0),
                    e);
        }
    }

    private static Result run(Duration limit, ProcessBuilder command, Path stdout, Path stderr) throws IOException {
        Process process;
        try {
            process = command.redirectInput(NO_INPUT)
                    .redirectErrorStream(false)
                    .redirectOutput(stdout.toFile())
                    .redirectError(stderr.toFile())
                    .start();
        } catch (IOException e) {
            LOG.debug("{}: {}", command.command(), e.toString());
            return Result.without(Ending.NOT_STARTED);
        }
        boolean ended;
        try {
            ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                // A process that waits inside the kernel outlives even this. The result says so; the caller goes on.
                ProcessTree.end(process, GRACE);
            }
        } catch (InterruptedException e) {
            ProcessTree.end(process, GRACE);
            Thread.currentThread().interrupt();
            return Result.without(Ending.INTERRUPTED);
        }
        return new Result(
                ended ? Ending.ENDED : Ending.TIMED_OUT, ended ? process.exitValue() : -1, read(stdout), read(stderr));
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8);
        }
    }
}
