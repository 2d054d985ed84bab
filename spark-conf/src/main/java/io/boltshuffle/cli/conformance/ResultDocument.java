package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code --json} prints and {@code --results} keeps, and {@code --merge} reads again. */
final class ResultDocument {

    private ResultDocument() {}

    /** One Spark line. Faults are for readers only: they follow from the rest. */
    record Line(String spark, List<String> faults, List<String> leaks, List<Entry> suites) {}

    /** A suite. Differences are for readers only. */
    record Entry(String suite, Map<String, Run> variants, List<Test> differences, List<Test> unsteady) {}

    /** One variant of it. The counts are for readers only. */
    record Run(
            long passed,
            long failed,
            long skipped,
            SortedMap<String, TestOutcome> tests,
            Map<String, Long> tally,
            long seconds) {}

    /** A test of one variant. */
    record Test(String variant, String test) {}

    static List<Line> of(List<LineResult> lines, Explanations explanations) {
        return lines.stream()
                .map(line -> new Line(
                        line.sparkRelease(),
                        line.faults(explanations),
                        line.leaks(),
                        line.suites().stream().map(ResultDocument::entry).toList()))
                .toList();
    }

    /** Writes it to a new file, named after its line and suites. */
    static void write(LineResult line, Path directory) {
        String suites =
                line.suites().stream().map(result -> result.suite().shortName()).collect(Collectors.joining("-"));
        try {
            Path file = Files.createTempFile(
                    Files.createDirectories(directory), line.sparkLine() + "-" + suites + "-", ".json");
            Files.writeString(file, Json.write(of(List.of(line), Explanations.shipped())));
        } catch (IOException e) {
            throw BoltException.failed("cannot write to " + directory + ": " + e.getMessage());
        }
    }

    private static Entry entry(SuiteResult result) {
        Map<String, Run> variants = new TreeMap<>();
        result.outcomes()
                .forEach((variant, outcome) -> variants.put(
                        variant.label(),
                        new Run(
                                outcome.count(TestOutcome.PASSED),
                                outcome.count(TestOutcome.FAILED),
                                outcome.count(TestOutcome.SKIPPED),
                                outcome.tests(),
                                outcome.tally(),
                                outcome.wall().toSeconds())));
        return new Entry(result.suite().className(), variants, tests(result.differences()), tests(result.unsteady()));
    }

    private static List<Test> tests(List<Difference> differences) {
        return differences.stream()
                .map(difference -> new Test(difference.variant().label(), difference.test()))
                .toList();
    }

    /** The lines of one file. */
    static List<LineResult> read(Path file) {
        try {
            return Stream.of(Json.read(Files.readString(file), Line[].class))
                    .map(line -> new LineResult(
                            line.spark(),
                            line.suites().stream().map(ResultDocument::result).toList(),
                            line.leaks()))
                    .toList();
        } catch (IOException e) {
            throw BoltException.usage("cannot read " + file + ": " + e.getMessage());
        }
    }

    private static SuiteResult result(Entry entry) {
        Map<SuiteVariant, SuiteOutcome> outcomes = new EnumMap<>(SuiteVariant.class);
        entry.variants()
                .forEach((label, run) -> outcomes.put(
                        SuiteVariant.of(label),
                        new SuiteOutcome(run.tests(), run.tally(), Duration.ofSeconds(run.seconds()))));
        List<Difference> unsteady = entry.unsteady().stream()
                .map(test -> new Difference(SuiteVariant.of(test.variant()), test.test()))
                .toList();
        return new SuiteResult(SuiteCatalogue.of(entry.suite()), outcomes, unsteady);
    }
}
