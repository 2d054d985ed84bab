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
    private static final String PERFORMANCE = "docs/performance.md";
    private static final String BLOCKS = "docs/blocks.md";
    private static final Path FIGURES = ROOT.resolve("docs/figures");

    @ParameterizedTest
    @ValueSource(strings = {PERFORMANCE, BLOCKS})
    void thePagesTablesAreThoseOfTheFigures(String page) throws IOException {
        GoldenFile.assertUpToDate(page, page(page).generated(FIGURES), PublishedFiguresTest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {PERFORMANCE, "docs/measurements.md"})
    void aTableIsMadeFromFiguresOrMarked(String page) throws IOException {
        assertThat(page(page).strayTables())
                .as("tables of %s without '<!-- figures, ...: FILE -->' or '%s'", page, FiguresPage.NOT_KEPT)
                .isEmpty();
    }

    @Test
    void everyFileIsShownAndComplete() throws IOException {
        String pages = page(PERFORMANCE).text() + page(BLOCKS).text();

        assertThat(names()).allSatisfy(name -> {
            FiguresFile file = FiguresFile.read(FIGURES, name);
            assertThat(pages).contains("](figures/" + name + ")");
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
