package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateSettingsTest {
    private static final List<String> ARGUMENTS =
            List.of("--conf", "spark.a=1", "--properties-file", "mine.conf", "--class", "Main", "app.jar", "--x");

    @Test
    void secretsGoIntoAPrivateFileThatReplacesTheOneThatSparkWouldRead(@TempDir Path directory) throws IOException {
        Properties defaults = new Properties();
        defaults.setProperty("spark.mine", "a = b:c \\ d");
        Path file;
        try (PrivateSettings settings = PrivateSettings.in(directory, defaults, Map.of("spark.secret", "s3"))) {
            List<String> words = settings.addTo(ARGUMENTS);
            file = Path.of(words.get(1));

            assertThat(words)
                    .containsExactly(
                            "--properties-file",
                            file.toString(),
                            "--conf",
                            "spark.a=1",
                            "--class",
                            "Main",
                            "app.jar",
                            "--x");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            Properties read = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                read.load(reader);
            }
            assertThat(read).containsOnly(Map.entry("spark.mine", "a = b:c \\ d"), Map.entry("spark.secret", "s3"));
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void withoutSecretsNothingChanges(@TempDir Path directory) {
        try (PrivateSettings settings = PrivateSettings.in(directory, new Properties(), Map.of())) {
            assertThat(settings.addTo(ARGUMENTS)).isEqualTo(ARGUMENTS);
        }
        assertThat(directory).isEmptyDirectory();
    }
}
