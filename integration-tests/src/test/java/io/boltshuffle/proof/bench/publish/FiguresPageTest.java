package io.boltshuffle.proof.bench.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresPageTest {
    private final Path figures;

    FiguresPageTest(@TempDir Path figures) {
        this.figures = figures;
    }

    @BeforeEach
    void keepFigures() throws IOException {
        Files.writeString(figures.resolve("job.json"), Json.write(ExampleReports.comparison()));
        Files.writeString(figures.resolve("write.json"), Json.write(ExampleReports.write()));
        Files.writeString(figures.resolve("fetch.json"), Json.write(ExampleReports.fetch()));
    }

    private String generated(String table) {
        String page = "before\n\n<!-- figures, " + table + " -->\nstale\n<!-- end of figures -->\n\nafter\n";
        return new FiguresPage(page).generated(figures);
    }

    @Test
    void aComparisonHasARowForEachPieceAndEveryWayOfStock() {
        assertThat(generated("comparison: job.json"))
                .startsWith("before\n\n<!-- figures, comparison: job.json -->\n\n| |")
                .endsWith("<!-- end of figures -->\n\nafter\n")
                .doesNotContain("stale")
                .contains(
                        "| | stock | stock tuned by hand | stock with nio | boltshuffle | of stock's time | of that of "
                                + "stock tuned by hand | of that of stock with nio | CPU, of stock's |",
                        "| q1 | 8.00 (8.00 to 8.00) | 4.00 (4.00 to 4.00) | 2.00 (2.00 to 2.00) | 1.00 (1.00 to 1.00) "
                                + "| **0.13** | **0.25** | **0.50** | **0.50** |",
                        "| all | 8.00 | 4.00 | 2.00 | 1.00 | **0.13** | **0.25** | **0.50** | **0.50** |");
    }

    @Test
    void belowATableStandsWhereItsFiguresAreFromAndHowToHaveThemAgain() {
        assertThat(generated("comparison: job.json"))
                .contains("- [job.json](figures/job.json): Spark 4.2.0, 2 hosts; 1970-01-01 00:00 to 00:00 UTC on 2 "
                        + "cores of a processor, 16 GiB, Linux, Java 17, load 0.1 when it began and 0.1 when it ended; "
                        + "`bolt bench job`.");
        assertThat(generated("write: write.json")).contains("- [write.json](figures/write.json): Spark 4.2.0; 1970");
    }

    @Test
    void networksStandBelowEachOther() {
        assertThat(generated("networks: job.json, job.json"))
                .contains(
                        "| which network do you have? | q1 | all |",
                        "| 1 GbE | 8.00 (8.00 to 8.00) / 1.00 (1.00 to 1.00): **0.13** | 8.00 / 1.00: **0.13** |");
    }

    @Test
    void caseByCaseTheWritersStandBesideEachOther() {
        assertThat(generated("write: write.json"))
                .contains("| 8 x 200, 1,000 rows of 4 longs, lz4 | 4.00 (4.00 to 4.00) | 2.00 (2.00 to 2.00) | "
                        + "1.00 (1.00 to 1.00) | **0.25** | **0.50** |");
    }

    @Test
    void ofFetchingBothRoutesStandBesideEachOther() {
        assertThat(generated("fetch: fetch.json"))
                .contains("| 1 MiB | read | veth-1500 | nio | 4 | 1.00 | 0.50 | 0.20 | 1.00 | **0.20** |");
    }

    @Test
    void aPageThatWasGeneratedStaysAsItIs() {
        String once = generated("write: write.json");

        assertThat(new FiguresPage(once).generated(figures)).isEqualTo(once);
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertThatThrownBy(() -> generated("write: none.json"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.json");
    }

    @Test
    void aTableWithoutFiguresHasToBeMarked() {
        String table = "| a |\n| --- |\n| 1 |\n\n";
        String mark = FiguresPage.NOT_KEPT + "\n\n";
        String block = "<!-- figures, write: write.json -->\n" + table + "<!-- end of figures -->\n";

        assertThat(new FiguresPage("## One\n\n" + table).strayTables()).containsExactly("| a |");
        assertThat(new FiguresPage("## One\n\n" + mark + table).strayTables()).isEmpty();
        assertThat(new FiguresPage("## One\n\n" + mark + table + "## Two\n\n" + table).strayTables())
                .hasSize(1);
        assertThat(new FiguresPage("# Page\n\n" + mark + "## One\n\n" + table + "## Two\n\n" + table).strayTables())
                .isEmpty();
        assertThat(new FiguresPage("## One\n\n" + block + table).strayTables()).isEqualTo(List.of("| a |"));
    }
}
