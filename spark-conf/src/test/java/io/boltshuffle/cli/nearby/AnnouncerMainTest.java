package io.boltshuffle.cli.nearby;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.joining.Fingerprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class AnnouncerMainTest {
    private static final long LIMIT_SECONDS = 60;

    @Test
    void whereTheNetworkCarriesNoMulticastItSaysSoInOneLineAndEnds() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AnnouncerMain.class.getName()));
        command.addAll(AnnouncerMain.arguments(
                "mac1",
                "127.0.0.1",
                7340,
                new Fingerprint("00".repeat(32)),
                ProcessHandle.current().pid()));
        Process announcer =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(announcer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(announcer.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(announcer.exitValue()).isZero();
            assertThat(said.lines())
                    .containsExactly("not announced, so machines join by the host's name or address: no network at"
                            + " 127.0.0.1 carries multicast");
        } finally {
            announcer.destroyForcibly();
        }
    }
}
