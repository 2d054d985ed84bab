package io.boltshuffle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformNameTest {

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86-64",
        "Linux, aarch64, linux-arm64",
        "Mac OS X, aarch64, macos-arm64",
        "Mac OS X, x86_64, macos-x86-64",
        "Linux, riscv64, linux-riscv64",
        "Windows 11, amd64, unknown-x86-64"
    })
    void aPlatformIsNamedByItsSystemAndProcessor(String system, String processor, String name) {
        assertThat(PlatformName.of(system, processor)).isEqualTo(name);
    }

    /** A directory of another name would never be looked into. */
    @Test
    void thePlatformsThatAreBuiltForHaveTheseNames() throws IOException {
        List<String> built = Pattern.compile("^([a-z0-9-]+) (?:Linux|Darwin) \\S+$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("..", ".ci", "cross")))
                .results()
                .map(line -> line.group(1))
                .toList();

        assertThat(built)
                .containsExactlyInAnyOrder(
                        PlatformName.of("Linux", "amd64"),
                        PlatformName.of("Linux", "aarch64"),
                        PlatformName.of("Mac OS X", "aarch64"));
    }
}
