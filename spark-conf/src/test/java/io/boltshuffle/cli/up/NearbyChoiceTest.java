package io.boltshuffle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.joining.Fingerprint;
import io.boltshuffle.cli.joining.JoinCode;
import io.boltshuffle.cli.nearby.NearbyDesk;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearbyChoiceTest {
    private static final String CODE = "7F3K-0M2C-XTZ9-41QB";
    private static final JoinCode TYPED = JoinCode.parse(CODE).orElseThrow();

    private static NearbyDesk desk(String name, String address, int port, String fingerprint)
            throws UnknownHostException {
        return new NearbyDesk(name, InetAddress.getByName(address), port, new Fingerprint(fingerprint.repeat(32)));
    }

    private static NearbyChoice among(NearbyDesk... found) {
        return new NearbyChoice(() -> List.of(found), Console.standardError());
    }

    @Test
    void theOnlyOneIsTaken() throws UnknownHostException {
        NearbyDesk only = desk("mac1", "192.0.2.7", 7341, "ab");

        assertThat(among(only).only(TYPED)).isEqualTo(only);
    }

    @Test
    void whereNoneAnswersTheRemedyIsTheHost() {
        assertThatThrownBy(() -> among().only(TYPED))
                .asInstanceOf(type(BoltException.class))
                .satisfies(failure -> {
                    assertThat(failure.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
                    assertThat(failure).hasMessageContaining("bolt join HOST CODE");
                });
    }

    /** One of them may be a stranger's, which takes the name of the first. */
    @Test
    void ofSeveralNoneIsTriedAndTheUserGetsTheLineOfEach() throws UnknownHostException {
        NearbyChoice choice = among(
                desk("mac1", "192.0.2.7", 7340, "ab"),
                desk("mac1", "192.0.2.66", 7341, "ab"),
                desk("mac2", "fd00::7", 7340, "cd"));

        assertThatThrownBy(() -> choice.only(TYPED))
                .asInstanceOf(type(BoltException.class))
                .satisfies(failure -> {
                    assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
                    assertThat(failure.getMessage().lines().skip(1))
                            .containsExactly(
                                    "  bolt join 192.0.2.7 " + CODE
                                            + "   (mac1, fingerprint ABAB ABAB ABAB ABAB ABAB ABAB)",
                                    "  bolt join 192.0.2.66:7341 " + CODE
                                            + "   (mac1, fingerprint ABAB ABAB ABAB ABAB ABAB ABAB)",
                                    "  bolt join [fd00:0:0:0:0:0:0:7] " + CODE
                                            + "   (mac2, fingerprint CDCD CDCD CDCD CDCD CDCD CDCD)");
                });
    }

    @Test
    void aNameThatLeadsElsewhereOrNowhereIsNotKept() throws UnknownHostException {
        assertThat(among().host(desk("localhost", "127.0.0.1", 7340, "ab"))).isEqualTo("127.0.0.1");
        assertThat(among().host(desk("no-such-machine.local", "192.0.2.7", 7340, "ab")))
                .isEqualTo("192.0.2.7");
    }
}
