package io.boltshuffle.cli.doctor.probe;

import io.boltshuffle.cli.base.ProcessTree;
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

/**
 * Runs commands on this machine. Output goes through files, so a grandchild that keeps a pipe open cannot hold the
 * doctor. A command past its deadline is asked to end, then killed, with its children.
 */
public final class LocalProbe implements Probe {

    static final int MAX_OUTPUT_BYTES = 4 << 20;
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final File NO_INPUT = new File("/dev/null");

    private final String host;

    public LocalProbe(String host) {
        this.host = host;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public Outcome run(List<String> arguments, Duration deadline) {
        try {
            Path directory = Files.createTempDirectory("bolt-doctor");
            try {
                return run(arguments, deadline, directory.resolve("stdout"), directory.resolve("stderr"));
            } finally {
                Files.deleteIfExists(directory.resolve("stdout"));
                Files.deleteIfExists(directory.resolve("stderr"));
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary directory for the output of " + arguments.get(0), e);
        }
    }

    private static Outcome run(List<String> arguments, Duration deadline, Path stdout, Path stderr) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(arguments)
                    .redirectInput(NO_INPUT)
                    .redirectOutput(stdout.toFile())
                    .redirectError(stderr.toFile())
                    .start();
        } catch (IOException notStarted) {
            return Outcome.NOT_FOUND;
        }
        boolean ended;
        try {
            ended = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                // A process that hangs in the kernel outlives even this. The outcome says so, and the doctor does not
                // wait for it.
                ProcessTree.end(process, GRACE);
            }
        } catch (InterruptedException e) {
            ProcessTree.end(process, GRACE);
            Thread.currentThread().interrupt();
            return Outcome.NOT_RUN;
        }
        String out = read(stdout);
        String err = read(stderr);
        return ended ? Outcome.ran(process.exitValue(), out, err) : Outcome.hung(out, err);
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8);
        }
    }
}
