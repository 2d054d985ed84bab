package io.boltshuffle.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.SystemCommand.Ending;
import io.boltshuffle.os.SystemCommand.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SystemCommandTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void keepsWhatACommandPrintedAndHowItEnded() {
        Result result = SystemCommand.run(LONG, List.of("sh", "-c", "echo out; echo err >&2; exit 3"));

        assertThat(result).isEqualTo(new Result(Ending.ENDED, 3, "out\n", "err\n"));
        assertThat(result.succeeded()).isFalse();
    }

    @Test
    void aMissingCommandIsAResult() {
        assertThat(SystemCommand.run(LONG, List.of("no-such-command-anywhere")).ending())
                .isEqualTo(Ending.NOT_STARTED);
    }

    @Test
    void aCommandThatHangsIsEndedWithItsChildren(@TempDir Path directory) throws Exception {
        Path pids = directory.resolve("pids");

        Result result = SystemCommand.run(
                Duration.ofSeconds(2), List.of("sh", "-c", "sleep 600 & echo $! > " + pids + "; echo began; wait"));

        assertThat(result.ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(result.stdout()).isEqualTo("began\n");
        long child = Long.parseLong(Files.readString(pids).strip());
        Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        ProcessHandle.of(child).filter(ProcessTree::isAlive).isEmpty());
    }

    @Test
    void aChildThatKeepsThePipeDoesNotHoldTheCaller(@TempDir Path directory) throws Exception {
        Path pids = directory.resolve("pids");

        Result result = SystemCommand.run(LONG, List.of("sh", "-c", "sleep 600 & echo $! > " + pids));

        assertThat(result.succeeded()).isTrue();
        ProcessHandle.of(Long.parseLong(Files.readString(pids).strip())).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void outputBeyondTheLimitIsCutOff() {
        String count = String.valueOf(SystemCommand.MAX_OUTPUT_BYTES + 1);

        Result result = SystemCommand.run(LONG, List.of("head", "-c", count, "/dev/zero"));

        assertThat(result.stdout()).hasSize(SystemCommand.MAX_OUTPUT_BYTES);
    }

    @Test
    void theOutputIsThatOfACommandThatEndsWell() {
        assertThat(SystemCommand.output(LONG, List.of("echo", "here"))).isEqualTo("here\n");
        assertThat(SystemCommand.output(LONG, List.of("sh", "-c", "echo here; exit 3")))
                .isEmpty();
    }

    @Test
    void aCommandRunsInTheEnvironmentItIsGiven() {
        ProcessBuilder command = new ProcessBuilder("sh", "-c", "echo $SAID");
        command.environment().put("SAID", "so");

        assertThat(SystemCommand.run(LONG, command).stdout()).isEqualTo("so\n");
    }
}
