package io.boltshuffle.proof.bench.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No published table can differ from its figures. */
class PublishedFiguresTest {
    private static final Path ROOT = Path.of("..");
    private static final Path FIGURES = ROOT.resolve("docs/figures");

    @Test
    void thePagesTablesAreThoseOfTheFigures() throws IOException {
        GoldenFile.assertUpToDate(
                "docs/performance.md", page("docs/performance.md").generated(FIGURES), PublishedFiguresTest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/performance.md", "docs/measurements.md"})
    void aTableIsMadeFromFiguresOrMarked(String page) throws IOException {
        assertThat(page(page).strayTables())
                .as("tables of %s without '<!-- figures, ...: FILE -->' or '%s'", page, FiguresPage.NOT_KEPT)
                .isEmpty();
    }

    @Test
    void everyFileIsShownAndComplete() throws IOException {
        String page = page("docs/performance.md").text();

        assertThat(names()).allSatisfy(name -> {
            FiguresFile file = FiguresFile.read(FIGURES, name);
            assertThat(page).contains("](figures/" + name + ")");
            assertThat(file.origin()).contains(" cores of ", "load ");
            assertThat(file.document().path("unfinished").asBoolean()).isFalse();
        });
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FIGURES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static FiguresPage page(String name) throws IOException {
        return new FiguresPage(Files.readString(ROOT.resolve(name)));
    }
}
