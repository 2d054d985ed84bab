package io.boltshuffle.os;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a command of the system that only reads. Blocks, for a bounded time. */
public final class SystemCommand {

    private static final Logger LOG = LoggerFactory.getLogger(SystemCommand.class);
    private static final int MAX_OUTPUT_BYTES = 4 << 20;
    private static final File NOTHING = new File("/dev/null");

    private SystemCommand() {}

    /** What it printed; empty if it is missing, fails, or does not come to its end in time. */
    public static String output(Duration limit, List<String> words) {
        try {
            // Through a file: a grandchild that keeps a pipe open could hold its reader.
            Path output = Files.createTempFile("boltshuffle", ".out");
            try {
                return output(limit, words, output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            LOG.debug("{}: {}", words, e.toString());
            return "";
        }
    }

    private static String output(Duration limit, List<String> words, Path output) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectInput(NOTHING)
                .redirectError(NOTHING)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} does not end", words);
                return "";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            LOG.debug("{} ended with {}", words, process.exitValue());
            return "";
        }
        try (InputStream in = Files.newInputStream(output)) {
            return new String(in.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8);
        }
    }
}
