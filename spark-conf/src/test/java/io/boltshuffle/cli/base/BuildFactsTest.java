package io.boltshuffle.cli.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildFactsTest {

    @Test
    void aBuildIsToldByItsVersionAndItsJarsSums(@TempDir Path lib) throws IOException {
        Path command = Files.writeString(lib.resolve("boltshuffle-cli-0.2.0.jar"), "abc");
        Path plugin = Files.writeString(lib.resolve("boltshuffle-spark_2.13-0.2.0.jar"), "");

        BuildFacts facts = BuildFacts.of(command, plugin);

        assertThat(facts.version()).isEqualTo("0.2.0");
        assertThat(facts.sha256())
                .containsEntry(
                        "boltshuffle-cli-0.2.0.jar", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
                .containsEntry(
                        "boltshuffle-spark_2.13-0.2.0.jar",
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void whatRunsFromClassesSaysSo() {
        assertThat(BuildFacts.current().version()).startsWith("unknown: ");
        assertThat(BuildFacts.current().sha256()).isEmpty();
    }
}
