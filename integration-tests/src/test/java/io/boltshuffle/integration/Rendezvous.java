package io.boltshuffle.integration;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.spark.SparkEnv;

/** Where one task of a running job waits until the test has acted. Used once. */
final class Rendezvous {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 20;

    private final Path asked;
    private final Path done;

    /** @param directory empty; both sides see it */
    Rendezvous(Path directory) {
        this.asked = directory.resolve("asked");
        this.done = directory.resolve("done");
    }

    /** The executor in which the task waits. */
    record Waiting(String host, long processId) {}

    /** Returns the task's part: it says where it runs, and waits. */
    CountingJob.Interruption inTask() {
        String askedName = asked.toString();
        String doneName = done.toString();
        return () -> {
            Path complete = Path.of(askedName);
            Path draft = complete.resolveSibling("draft");
            Files.write(
                    draft,
                    List.of(
                            SparkEnv.get().blockManager().blockManagerId().host(),
                            Long.toString(ProcessHandle.current().pid())));
            Files.move(draft, complete, StandardCopyOption.ATOMIC_MOVE);
            // Not by Awaitility, which a killed task could not leave.
            for (long millis = 0;
                    millis < PATIENCE.toMillis() && !Files.exists(Path.of(doneName));
                    millis += POLL_MILLIS) {
                Thread.sleep(POLL_MILLIS);
            }
        };
    }

    /** Waits for the task, unless its job ends without it. */
    Waiting awaitTask(Future<?> job) throws IOException {
        await().atMost(PATIENCE).until(() -> Files.exists(asked) || job.isDone());
        List<String> words = Files.readAllLines(asked);
        return new Waiting(words.get(0), Long.parseLong(words.get(1)));
    }

    void letGo() throws IOException {
        Files.createFile(done);
    }
}
