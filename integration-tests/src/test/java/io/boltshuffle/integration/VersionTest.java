package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The version is written in the root pom; what else names it agrees. CONTRIBUTING says how it is changed. */
class VersionTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VERSION = Pattern.compile("(?m)^  <version>(.*)</version>$");
    private static final Pattern NAMED = Pattern.compile(
            "boltshuffle(?:-spark_2\\.13[-:]|-cli-|-)(\\d+\\.\\d+\\.\\d+[-A-Z]*?)(?=\\.jar|-bolt| |`|\"|\\\\|$)");

    @ParameterizedTest
    @ValueSource(strings = {"rdma-native", "shuffle-manager", "spark-conf", "integration-tests"})
    void theModulesHaveTheVersionOfTheirParent(String module) throws IOException {
        assertThat(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
                .contains("<version>" + version() + "</version>");
    }

    @Test
    void pagesNameJarsOfThisVersion() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<Path> pages = Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md").map(ROOT::resolve), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
            for (Path page : pages) {
                assertThat(NAMED.matcher(Files.readString(page)).results().map(named -> named.group(1)))
                        .as(page.toString())
                        .allMatch(version()::equals);
            }
        }
        assertThat(NAMED.matcher(Files.readString(ROOT.resolve("README.md"))).results())
                .isNotEmpty();
    }

    @Test
    void theNewestChangesAreThoseOfThisVersion() throws IOException {
        assertThat(Files.readString(ROOT.resolve("CHANGELOG.md")))
                .containsPattern(
                        "\\A# Changes\\n\\n## " + Pattern.quote(version().replace("-SNAPSHOT", "")) + "\\b");
    }

    private static String version() throws IOException {
        return VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
