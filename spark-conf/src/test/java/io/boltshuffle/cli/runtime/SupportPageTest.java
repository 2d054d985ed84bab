package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pages that tell users which Spark they can take name the lines of the code, and the releases that it fetches. */
class SupportPageTest {
    private static final List<SparkLine> NEWEST_FIRST = newestFirst();

    @Test
    void thePageOfSupportHasTheLinesOfTheCodeAndWhatIsFetchedOfEach() throws IOException {
        List<List<String>> rows = rowsOfLines("docs/support.md");

        assertThat(rows)
                .extracting(row -> row.get(0) + ": " + row.get(row.size() - 1))
                .containsExactlyElementsOf(NEWEST_FIRST.stream()
                        .map(line -> line.label() + ": " + line.release() + " " + way(line))
                        .toList());
        for (List<String> row : rows) {
            SparkLine line = SparkLine.of(row.get(0)).orElseThrow();
            assertThat(row.get(1).split(", "))
                    .contains(line.release())
                    .allMatch(release -> SparkLine.of(release).equals(Optional.of(line)));
        }
    }

    @Test
    void itsFirstTableNamesTheSameLines() throws IOException {
        assertThat(Files.readString(page("docs/support.md")))
                .contains("| Spark | "
                        + NEWEST_FIRST.stream().map(SparkLine::label).collect(Collectors.joining(", "))
                        + "; Scala 2.13 |");
    }

    @Test
    void theReadmeHasTheSameLinesAndReleases() throws IOException {
        assertThat(rowsOfLines("README.md"))
                .extracting(row -> row.get(0) + " " + row.get(2))
                .containsExactlyElementsOf(rowsOfLines("docs/support.md").stream()
                        .map(row -> row.get(0) + " " + row.get(1))
                        .toList());
    }

    private static String way(SparkLine line) {
        return line.source() == SparkSource.PIP ? "by pip" : "from Maven Central";
    }

    /** Returns the cells of the rows whose first cell is a line. */
    private static List<List<String>> rowsOfLines(String name) throws IOException {
        return Files.readAllLines(page(name)).stream()
                .filter(text -> text.matches("\\| \\d+\\.\\d+ \\|.*"))
                .map(text -> Arrays.stream(text.split("\\|"))
                        .skip(1)
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static Path page(String name) {
        return Path.of("..").resolve(name);
    }

    private static List<SparkLine> newestFirst() {
        List<SparkLine> lines = Arrays.asList(SparkLine.values().clone());
        Collections.reverse(lines);
        return List.copyOf(lines);
    }
}
