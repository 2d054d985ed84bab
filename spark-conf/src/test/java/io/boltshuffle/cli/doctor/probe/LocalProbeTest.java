package io.boltshuffle.cli.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    void javaIsTheOneThatSparksOwnScriptsTake(@TempDir Path spark) throws IOException {
        Path java = Files.createDirectories(spark.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"21.0.1\"'\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(
                Files.createDirectories(spark.resolve("conf")).resolve("spark-env.sh"),
                "[[ -n $JAVA_HOME ]] || JAVA_HOME=" + spark.resolve("jdk") + "\necho noise\n");
        List<String> shell =
                new ArrayList<>(List.of("env", "-u", "JAVA_HOME", "-u", "SPARK_CONF_DIR", "SPARK_HOME=" + spark));
        shell.addAll(ProbeCommand.JAVA.arguments());

        assertThat(probe.run(shell, LONG)).isEqualTo(Outcome.ran(0, "openjdk version \"21.0.1\"\n", ""));
    }

    @Test
    void aCommandThatHangsIsAnOutcome() {
        Outcome outcome = probe.run(List.of("sh", "-c", "echo began; sleep 600"), Duration.ofSeconds(1));

        assertThat(outcome).isEqualTo(Outcome.hung("began\n", ""));
    }
}
