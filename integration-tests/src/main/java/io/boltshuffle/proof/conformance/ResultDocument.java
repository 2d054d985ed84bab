package io.boltshuffle.proof.conformance;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The document that {@code --json} prints, {@code --results} keeps, and {@code --merge} reads again. */
final class ResultDocument {

    private static final Pattern RELEASE = Pattern.compile("\\d+\\.\\d+\\.\\S+");
    private static final String ENDING = ".json";

    /** Appended to the name of a file that is being written. */
    private static final String PART = ".part";

    private ResultDocument() {}

    /** One Spark line. The faults are for readers only, because they follow from the rest. */
    record Line(String spark, List<String> faults, List<String> leaks, List<Entry> suites) {
        Line {
            require(spark != null && RELEASE.matcher(spark).matches(), "no release of Spark");
            leaks = List.copyOf(leaks);
            suites = List.copyOf(suites);
        }
    }

    /** A suite. Differences are for readers only. */
    record Entry(String suite, SortedMap<String, Run> variants, List<Test> differences, List<Test> unsteady) {
        Entry {
            require(!variants.containsValue(null), "a variant without a run");
            variants.keySet().forEach(SuiteVariant::of);
            unsteady = List.copyOf(unsteady);
        }
    }

    /**
     * One variant of it. The counts are for readers only.
     *
     * @param lastWords absent in files of earlier releases
     * @param partial whether only some tests were requested
     */
    record Run(
            long passed,
            long failed,
            long skipped,
            SortedMap<String, TestOutcome> tests,
            Map<String, Long> tally,
            long seconds,
            @Nullable String lastWords,
            boolean partial) {
        Run {
            require(!tests.containsValue(null), "a test without an outcome");
            tally = Map.copyOf(tally);
        }
    }

    /** A test of one variant. */
    record Test(String variant, String test) {
        Test {
            SuiteVariant.of(variant);
            requireNonNull(test);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw BoltException.failed(otherwise);
        }
    }

    static List<Line> of(List<LineResult> lines, Explanations explanations) {
        return lines.stream()
                .map(line -> new Line(
                        line.sparkRelease(),
                        line.faults(explanations),
                        line.leaks(),
                        line.suites().stream().map(ResultDocument::entry).toList()))
                .toList();
    }

    /** Writes the document to a new file, named after its line and suites. The file exists as a whole or not at all. */
    static void write(LineResult line, Path directory) {
        String suites =
                line.suites().stream().map(result -> result.suite().shortName()).collect(Collectors.joining("-"));
        try {
            Path part = Files.createTempFile(
                    Files.createDirectories(directory), line.sparkLine() + "-" + suites + "-", ENDING + PART);
            Files.writeString(part, Json.write(of(List.of(line), Explanations.shipped())));
            String name = part.getFileName().toString();
            Files.move(part, part.resolveSibling(name.substring(0, name.length() - PART.length())));
        } catch (IOException e) {
            throw BoltException.failed("cannot write to " + directory + ": " + e.getMessage());
        }
    }

    private static Entry entry(SuiteResult result) {
        SortedMap<String, Run> variants = new TreeMap<>();
        result.outcomes()
                .forEach((variant, outcome) -> variants.put(
                        variant.label(),
                        new Run(
                                outcome.count(TestOutcome.PASSED),
                                outcome.count(TestOutcome.FAILED),
                                outcome.count(TestOutcome.SKIPPED),
                                outcome.tests(),
                                outcome.tally(),
                                outcome.wall().toSeconds(),
                                outcome.lastWords(),
                                outcome.partial())));
        return new Entry(result.suite().className(), variants, tests(result.differences()), tests(result.unsteady()));
    }

    private static List<Test> tests(List<Difference> differences) {
        return differences.stream()
                .map(difference -> new Test(difference.variant().label(), difference.test()))
                .toList();
    }

    /** Reads the lines of one file. */
    static List<LineResult> read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw BoltException.usage("there is no file " + file);
        } catch (IOException | BoltException e) {
            throw BoltException.usage(file + " is not what --results or --json wrote: " + e.getMessage()
                    + "; leave it out, or run its suites again");
        }
    }

    static List<LineResult> parse(String text) {
        return Arrays.stream(Json.read(text, Line[].class))
                .map(line -> {
                    require(line != null, "a line that is null"); // an array's elements pass no constructor
                    return new LineResult(
                            line.spark(),
                            line.suites().stream().map(ResultDocument::result).toList(),
                            line.leaks());
                })
                .toList();
    }

    private static SuiteResult result(Entry entry) {
        Map<SuiteVariant, SuiteOutcome> outcomes = new EnumMap<>(SuiteVariant.class);
        entry.variants()
                .forEach((label, run) -> outcomes.put(
                        SuiteVariant.of(label),
                        new SuiteOutcome(
                                run.tests(),
                                run.tally(),
                                Duration.ofSeconds(run.seconds()),
                                requireNonNullElse(run.lastWords(), ""),
                                run.partial())));
        List<Difference> unsteady = entry.unsteady().stream()
                .map(test -> new Difference(SuiteVariant.of(test.variant()), test.test()))
                .toList();
        return new SuiteResult(SuiteCatalogue.of(entry.suite()), outcomes, unsteady);
    }
}
