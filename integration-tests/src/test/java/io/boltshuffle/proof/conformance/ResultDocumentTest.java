package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands write, one merges. */
class ResultDocumentTest {
    private static final Suite SUITE =
            SuiteCatalogue.named(List.of("BroadcastSuite")).get(0);
    private static final Map<String, Long> USED = Map.of("managers", 1L, "bytes.rdma", 7L, "fetches.rdma", 3L);

    private final Path directory;

    ResultDocumentTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void aFileIsReadAsItWasWritten() throws IOException {
        LineResult line = new LineResult(
                "4.2.0",
                List.of(new SuiteResult(
                        SUITE,
                        Map.of(SuiteVariant.RDMA, outcome(USED, TestOutcome.PASSED)),
                        List.of(new Difference(SuiteVariant.TCP, "b")))),
                List.of("a leak"));
        assertThat(ResultDocument.read(write(line))).containsExactly(line);
    }

    @Test
    void aSuiteThatWasLostKeepsItsLastWords() throws IOException {
        LineResult line = line("4.2.0", SuiteVariant.RDMA, SuiteOutcome.lost(USED, Duration.ZERO, "killed"));
        assertThat(ResultDocument.read(write(line))).containsExactly(line);
    }

    @Test
    void resultsOfReleasesThatKeptNoLastWordsAreRead() {
        assertThat(ResultDocument.parse("""
                [{"spark": "4.2.0", "faults": [], "leaks": [], "suites": [{"suite": "%s",
                  "variants": {"rdma": {"passed": 1, "failed": 0, "skipped": 0, "tests": {"a": "PASSED"},
                    "tally": {"managers": 1, "bytes.rdma": 7, "fetches.rdma": 3}, "seconds": 2}},
                  "differences": [], "unsteady": []}]}]
                """.formatted(SUITE.className())))
                .containsExactly(line("4.2.0", SuiteVariant.RDMA, outcome(USED, TestOutcome.PASSED)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "null",
                "[null]",
                "{}",
                "[{\"spark\": \"4.2.0\"}]",
                "[{\"spark\": \"4\", \"leaks\": [], \"suites\": []}]",
                "[{\"spark\": \"4.2.0\", \"leaks\": [], \"suites\": [null]}]",
                "[{\"spark\": \"4.2.0\", \"leaks\": [], \"suites\": [{\"suite\": \"a.B\", \"variants\": {}, "
                        + "\"unsteady\": []}]}]"
            })
    void aDamagedFileIsNamedInOneLineWithTheRemedy(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("damaged.json"), text);
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> ConformanceReport.merge(List.of(file)))
                .withMessageStartingWith(file + " is not what --results or --json wrote: ")
                .withMessageEndingWith("; leave it out, or run its suites again")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path file = directory.resolve("gone.json");
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> ResultDocument.read(file))
                .withMessage("there is no file " + file);
    }

    @Test
    void resultsOfOneSuiteAreKeptBesideEachOther() throws IOException {
        LineResult line = line("4.2.0", SuiteVariant.RDMA, outcome(USED, TestOutcome.PASSED));
        Path results = directory.resolve("results");
        ResultDocument.write(line, results);
        ResultDocument.write(line, results);
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files).hasSize(2).allSatisfy(file -> {
                assertThat(file.getFileName().toString()).startsWith("4.2-BroadcastSuite-");
                assertThat(ResultDocument.read(file)).containsExactly(line);
            });
        }
    }

    @Test
    void whatOneCommandRanIsComparedWithWhatAnotherDid() throws IOException {
        ConformanceReport report = ConformanceReport.merge(List.of(
                write(line("4.2.0", SuiteVariant.STOCK, outcome(Map.of(), TestOutcome.PASSED))),
                write(line("3.5.9", SuiteVariant.RDMA, outcome(USED, TestOutcome.PASSED))),
                write(line("4.2.0", SuiteVariant.RDMA, outcome(USED, TestOutcome.FAILED)))));
        assertThat(report.faults())
                .singleElement()
                .asString()
                .contains("4.2.0, BroadcastSuite, rdma: 'a' passes with Spark's shuffle");
        assertThat(report.toMarkdown())
                .contains("| suite | 4.2 | 3.5 |", "| BroadcastSuite | s 1/0/0, r 0/1/0 (3) | r 1/0/0 (3) |");
    }

    @Test
    void aVariantOfTwoCommandsIsARunAndItsRepetition() throws IOException {
        ConformanceReport report = ConformanceReport.merge(List.of(
                write(line("4.2.0", SuiteVariant.STOCK, outcome(Map.of(), TestOutcome.PASSED))),
                write(line("4.2.0", SuiteVariant.RDMA, outcome(USED, TestOutcome.FAILED))),
                write(line("4.2.0", SuiteVariant.RDMA, outcome(USED, TestOutcome.PASSED)))));
        assertThat(report.faults()).isEmpty();
        assertThat(report.toMarkdown())
                .contains("| sr 1/0/0 (3) |", "unsteady (failed once, passed once): 4.2, BroadcastSuite, rdma: a");
    }

    private Path write(LineResult line) throws IOException {
        String json = Json.write(ConformanceReport.of(List.of(line)).toJson());
        return Files.writeString(Files.createTempFile(directory, "result", ".json"), json);
    }

    private static LineResult line(String release, SuiteVariant variant, SuiteOutcome outcome) {
        return new LineResult(release, List.of(new SuiteResult(SUITE, Map.of(variant, outcome), List.of())), List.of());
    }

    private static SuiteOutcome outcome(Map<String, Long> tally, TestOutcome test) {
        return new SuiteOutcome(new TreeMap<>(Map.of("a", test)), tally, Duration.ofSeconds(2));
    }
}
