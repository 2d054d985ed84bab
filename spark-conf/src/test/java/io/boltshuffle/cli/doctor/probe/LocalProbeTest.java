package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.probe.Outcome.Ending;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProbeTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final LocalProbe probe = new LocalProbe("here");

    @Test
    void keepsWhatACommandPrintedAndHowItEnded() {
        Outcome outcome = probe.run(List.of("sh", "-c", "echo out; echo err >&2; exit 3"), LONG);

        assertThat(outcome).isEqualTo(Outcome.ran(3, "out\n", "err\n"));
    }

    @Test
    void aMissingCommandIsAnOutcome() {
        assertThat(probe.run(List.of("no-such-command-anywhere"), LONG)).isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void aCommandThatHangsIsEndedWithItsChildren(@TempDir Path directory) throws Exception {
        Path pids = directory.resolve("pids");

        Outcome outcome = probe.run(
                List.of("sh", "-c", "sleep 600 & echo $! > " + pids + "; echo began; wait"), Duration.ofSeconds(2));

        assertThat(outcome.ending()).isEqualTo(Ending.HUNG);
        assertThat(outcome.stdout()).isEqualTo("began\n");
        long child = Long.parseLong(Files.readString(pids).strip());
        Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aChildThatKeepsThePipeDoesNotHoldTheProbe(@TempDir Path directory) throws Exception {
        Path pids = directory.resolve("pids");

        Outcome outcome = probe.run(List.of("sh", "-c", "sleep 600 & echo $! > " + pids), LONG);

        assertThat(outcome.ending()).isEqualTo(Ending.RAN);
        ProcessHandle.of(Long.parseLong(Files.readString(pids).strip())).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void outputBeyondTheLimitIsCutOff() {
        Outcome outcome =
                probe.run(List.of("head", "-c", String.valueOf(LocalProbe.MAX_OUTPUT_BYTES + 1), "/dev/zero"), LONG);

        assertThat(outcome.stdout()).hasSize(LocalProbe.MAX_OUTPUT_BYTES);
    }
}
