package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    void aCommandThatHangsIsAnOutcome() {
        Outcome outcome = probe.run(List.of("sh", "-c", "echo began; sleep 600"), Duration.ofSeconds(1));

        assertThat(outcome).isEqualTo(Outcome.hung("began\n", ""));
    }
}
