package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows that {@code bolt bench} measures what goes by RDMA. The figures mean nothing here, on a machine that does other
 * work.
 */
@Tag("versions")
class BenchTest {
    private final Path directory;

    BenchTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void stagesAreComparedOnTheSameRows() throws Exception {
        JsonNode report = measure(
                "stage", "--size", "16m", "--cut", "4x4", "--operation", "sort", "--rounds", "1", "--reads", "1");

        assertThat(report.at("/comparisons")).singleElement().satisfies(BenchTest::wasByRdma);
    }

    @Test
    void jobsAreCompared() throws Exception {
        JsonNode report = measure("job", "--job", "terasort", "--size", "8m", "--compression", "off", "--rounds", "1");

        assertThat(report.at("/comparisons")).singleElement().satisfies(comparison -> {
            assertThat(comparison.at("/title").asText()).isEqualTo("terasort, plain");
            wasByRdma(comparison);
            assertThat(comparison.at("/boltshuffle/taskCpuSeconds/median").asDouble())
                    .isPositive()
                    .isLessThan(comparison.at("/boltshuffle/cpuSeconds/median").asDouble());
        });
    }

    @Test
    void agentsAreSeenAtRestAndLoaded() throws Exception {
        JsonNode report = measure(
                "scale",
                "--hosts",
                "2",
                "--cables-per-pair",
                "2",
                "--size",
                "16m",
                "--few",
                "4x4",
                "--many",
                "20x20",
                "--reads",
                "1",
                "--rest",
                "1");

        assertThat(report.at("/points")).singleElement().satisfies(point -> {
            assertThat(point.at("/rdmaShare").asDouble()).isGreaterThan(0.9);
            assertThat(point.at("/fewBlocks/sockets").asInt())
                    .isGreaterThan(point.at("/fresh/sockets").asInt());
        });
        assertThat(report.at("/verdicts").findValuesAsText("claim")).contains("sockets do not grow with blocks");
    }

    @Test
    void applicationsThatShuffleNothingAreStartedWithEither() throws Exception {
        JsonNode report = measure("start", "--rounds", "1");

        for (String shuffle : List.of("stock", "boltshuffle")) {
            double spark = report.at("/sparkSeconds/" + shuffle + "/median").asDouble();
            double job = report.at("/jobSeconds/" + shuffle + "/median").asDouble();
            double whole = report.at("/wholeSeconds/" + shuffle + "/median").asDouble();
            assertThat(spark).isPositive().isLessThan(job);
            assertThat(job).isLessThan(whole);
        }
    }

    /** Runs it to its end: 0, or 1 where an aim is missed. */
    private JsonNode measure(String level, String... options) throws Exception {
        Path page = directory.resolve("bench.html");
        List<String> words = new ArrayList<>(List.of("bench", level, "--report", page.toString()));
        words.addAll(List.of(options));

        VerbRun bench = VerbRun.of(directory, words);

        assertThat(bench.exitCode()).as(bench.err()).isIn(0, 1);
        assertThat(bench.err()).as("figures of each application, at its end").contains(" s, waiting for blocks ");
        assertThat(page).content().contains("<svg");
        return bench.json();
    }

    private static void wasByRdma(JsonNode comparison) {
        assertThat(comparison.at("/boltshuffle/rdmaShare").asDouble()).isGreaterThan(0.9);
        assertThat(comparison.at("/stock/remoteMegabytes/median").asDouble()).isPositive();
        assertThat(comparison.at("/boltshuffle/remoteMegabytes/median").asDouble())
                .isPositive();
    }
}
