package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.probe.Outcome.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Probes with an ssh that hands the remote command to a shell of this machine, as sshd would on the far side. */
class SshProbeTest {

    private static final List<String> SSH_TO_HERE =
            List.of("sh", "-c", "for last; do :; done; exec sh -c \"$last\"", "ssh");
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void argumentsArriveAsTheyWereGiven() {
        Outcome outcome = probe(SSH_TO_HERE).run(List.of("printf", "%s|", "it's", "$HOME", "a  b", "\"x\";"), LONG);

        assertThat(outcome).isEqualTo(Outcome.ran(0, "it's|$HOME|a  b|\"x\";|", ""));
    }

    @Test
    void theExitCodeOfTheRemoteCommandIsKept() {
        assertThat(probe(SSH_TO_HERE).run(List.of("sh", "-c", "exit 7"), LONG).exitCode())
                .isEqualTo(7);
    }

    @Test
    void aCommandMissingOnTheFarSideIsToldApart() {
        assertThat(probe(SSH_TO_HERE).run(List.of("no-such-command-anywhere"), LONG))
                .isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void aCommandThatHangsIsEndedOnTheFarSide() {
        Outcome outcome =
                probe(SSH_TO_HERE).run(List.of("sh", "-c", "echo began; exec sleep 600"), Duration.ofSeconds(1));

        assertThat(outcome.ending()).isEqualTo(Ending.HUNG);
        assertThat(outcome.stdout()).isEqualTo("began\n");
    }

    @Test
    void aHostThatCannotBeReachedIsAnOutcomeWithItsReason() {
        List<String> refused =
                List.of("sh", "-c", "echo 'ssh: connect to host mac2 port 22: Connection refused' >&2; exit 255");

        assertThat(probe(refused).run(List.of("uname"), LONG))
                .isEqualTo(Outcome.unreachable("ssh: connect to host mac2 port 22: Connection refused"));
    }

    @Test
    void aPasswordIsNeverAskedFor() {
        List<String> showsItsArguments = List.of("sh", "-c", "echo \"$@\"", "ssh");

        assertThat(probe(showsItsArguments).run(List.of("uname"), LONG).stdout())
                .startsWith("-o BatchMode=yes -o ConnectTimeout=8 -- mac2 ");
    }

    private static SshProbe probe(List<String> ssh) {
        return new SshProbe("mac2", ssh);
    }
}
