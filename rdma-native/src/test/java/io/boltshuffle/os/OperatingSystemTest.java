package io.boltshuffle.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatingSystemTest {

    @ParameterizedTest
    @CsvSource({
        "Mac OS X, MACOS",
        "Darwin, MACOS",
        "Linux, LINUX",
        "'Linux\n', LINUX",
        "FreeBSD, UNKNOWN",
        "'', UNKNOWN"
    })
    void bothJavaAndUnameNameIt(String name, OperatingSystem system) {
        assertThat(OperatingSystem.ofName(name)).isEqualTo(system);
    }
}
