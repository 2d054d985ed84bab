package io.boltshuffle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each block of commands in the pages is run by a test, which the page names, or marked as one for a person. */
class ShellBlocksTest {
    private static final Path ROOT = Path.of("..");

    private static final Pattern BLOCK = Pattern.compile("(?m)^(.*)\n *```sh\n");
    private static final Pattern MARK =
            Pattern.compile("<!-- (hardware-only.*|by hand.*|needs pyspark|run by (\\w+)) -->");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(page -> page.toString().endsWith(".md")))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockSaysWhoRunsIt(Path page) throws IOException {
        Set<String> tests = tests();

        assertThat(BLOCK.matcher(Files.readString(ROOT.resolve(page))).results())
                .allSatisfy(block -> {
                    Matcher mark = MARK.matcher(block.group(1).strip());
                    assertThat(mark.matches()).as(block.group()).isTrue();
                    if (mark.group(2) != null) {
                        assertThat(tests).contains(mark.group(2) + ".java");
                    }
                });
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> here = Files.walk(Path.of("src", "test"));
                Stream<Path> there = Files.walk(ROOT.resolve("integration-tests/src/test"))) {
            return Stream.concat(here, there)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
        }
    }
}
