package io.boltshuffle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class JoinServerMainTest {

    @Test
    void aPortThatIsTakenIsReplacedByOneThatIsFree() throws IOException {
        try (ServerSocket wanted = JoinServerMain.listen(0);
                ServerSocket other = JoinServerMain.listen(wanted.getLocalPort())) {
            assertThat(other.getLocalPort()).isPositive().isNotEqualTo(wanted.getLocalPort());
        }
    }
}
