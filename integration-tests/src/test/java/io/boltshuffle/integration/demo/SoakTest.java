package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Soaks for a minute, which is too short to tell growth from warm-up, with the same faults each time. {@code bolt soak}
 * runs for hours.
 */
@Tag("ci")
class SoakTest {
    @Test
    void jobsStayRightAndMemoryComesBackWhileThingsFail(@TempDir Path directory) throws Exception {
        Path page = directory.resolve("soak.html");

        VerbRun soak = VerbRun.of(
                directory,
                List.of(
                        "soak",
                        "--minutes",
                        "1",
                        "--seed",
                        "11",
                        "--conf",
                        "spark.boltshuffle.blocks=all",
                        "--report",
                        page.toString()));

        assertThat(soak.exitCode()).as(soak.err()).isZero();
        JsonNode report = soak.json();
        assertThat(report.at("/violations")).isEmpty();
        assertThat(report.at("/right").asInt()).isPositive();
        assertThat(report.at("/faults")).isNotEmpty();
        assertThat(report.at("/traffic/rdmaBytes").asLong())
                .isGreaterThan(report.at("/traffic/servedFromMemoryBytes").asLong());
        assertThat(report.at("/traffic/servedFromMemoryBytes").asLong()).isPositive();
        assertThat(report.at("/traffic/laidOutBlocks").asLong()).isPositive();
        assertThat(report.at("/recoveries/longestGapSeconds").asDouble()).isPositive();
        assertThat(page).content().contains("<table");
    }
}
