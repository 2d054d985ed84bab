package io.boltshuffle.integration.demo;

import static org.awaitility.Awaitility.await;

import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A started command.
 *
 * <p><b>Ownership:</b> closing it ends the command if the test has not seen its end.
 */
final class RunningBolt implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(25);

    private final Process process;
    private final Path out;
    private final Path err;
    private final Path workDirectory;

    private RunningBolt(Process process, Path out, Path err, Path workDirectory) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.workDirectory = workDirectory;
    }

    /** @param workDirectory where the command writes, by its {@code --work-dir} */
    static RunningBolt start(ProcessBuilder command, Path logs, Path workDirectory) throws IOException {
        Path out = logs.resolve("out");
        Path err = logs.resolve("err");
        return new RunningBolt(
                command.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err, workDirectory);
    }

    int exitCode() throws InterruptedException, TimeoutException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException("still running after " + LIMIT);
        }
        return process.exitValue();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    void terminate() {
        process.destroy();
    }

    /** Waits until the command says {@code text}; not on, once it has ended. */
    void awaitSaid(String text) throws IOException {
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive() || (out() + err()).contains(text));
        if (!(out() + err()).contains(text)) {
            throw new IllegalStateException("ended before it said: " + text + "\n" + err());
        }
    }

    /** Waits until the log of a job says {@code text}. */
    void awaitLog(String job, String text) {
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive() || log(job).contains(text));
        if (!process.isAlive()) {
            throw new IllegalStateException("ended before the log of " + job + " said: " + text);
        }
    }

    /** Returns what the driver of a job has logged so far. */
    String log(String job) throws IOException {
        try (Stream<Path> runs = Files.list(workDirectory)) {
            Path log = runs.findFirst().orElse(workDirectory).resolve("logs").resolve(job + ".log");
            return Files.exists(log) ? Files.readString(log) : "";
        }
    }

    List<ProcessHandle> executors() {
        return process.descendants()
                .filter(child -> child.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                .toList();
    }

    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    @Override
    public void close() {
        ProcessTree.end(process);
    }
}
