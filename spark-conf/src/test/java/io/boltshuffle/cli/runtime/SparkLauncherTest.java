package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SparkLauncherTest {
    @Test
    void wordsOfTheCommandMayHaveSpaces() {
        assertThat(SparkLauncher.parse("\0\njava\0-cp\0/a b/c\0Main\0"))
                .containsExactly("java", "-cp", "/a b/c", "Main");
    }

    @Test
    void noCommandIsAFailure() {
        assertThatThrownBy(() -> SparkLauncher.parse("")).hasMessageContaining("gave no command");
    }
}
