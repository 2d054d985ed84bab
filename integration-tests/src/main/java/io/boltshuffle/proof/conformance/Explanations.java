package io.boltshuffle.proof.conformance;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Explains why some tests pass with stock Spark and not with the plugin: this project's list {@code explained.txt}. */
record Explanations(List<Explanation> entries) {

    private static final Pattern COLUMNS = Pattern.compile("\\s\\|\\s");
    private static final Pattern WORDS = Pattern.compile(",\\s*");

    Explanations {
        entries = List.copyOf(entries);
    }

    /**
     * @param suite its short name
     * @param sparkLines such as 4.2
     */
    record Explanation(String suite, Set<String> variants, Set<String> sparkLines, String test, String reason) {

        boolean covers(SuiteResult result, Difference difference) {
            return isAbout(result) && variants.contains(difference.variant().label()) && test.equals(difference.test());
        }

        /** Returns whether the suite was compared there, so that the difference would have shown. */
        boolean isAbout(SuiteResult result) {
            return suite.equals(result.suite().shortName())
                    && sparkLines.contains(result.sparkLine())
                    && result.variants().containsKey(SuiteVariant.STOCK)
                    && result.variants().keySet().stream().anyMatch(variant -> variants.contains(variant.label()));
        }
    }

    /** Returns the list of this release. */
    static Explanations shipped() {
        try (InputStream list = requireNonNull(Explanations.class.getResourceAsStream("explained.txt"))) {
            return parse(new String(list.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Explanations parse(String list) {
        return new Explanations(list.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Explanations::entry)
                .toList());
    }

    private static Explanation entry(String line) {
        List<String> columns = COLUMNS.splitAsStream(line).map(String::strip).toList();
        if (columns.size() != 5) {
            throw new IllegalArgumentException("explained.txt has a line without five columns: " + line);
        }
        return new Explanation(
                columns.get(0), words(columns.get(1)), words(columns.get(2)), columns.get(3), columns.get(4));
    }

    private static Set<String> words(String column) {
        return Set.copyOf(WORDS.splitAsStream(column).toList());
    }

    Optional<String> reason(SuiteResult result, Difference difference) {
        return entries.stream()
                .filter(entry -> entry.covers(result, difference))
                .map(Explanation::reason)
                .findFirst();
    }

    /** Returns entries about suites that were compared, whose difference did not occur. */
    List<Explanation> stale(List<SuiteResult> results) {
        return entries.stream()
                .filter(entry -> results.stream().anyMatch(entry::isAbout))
                .filter(entry -> results.stream()
                        .noneMatch(result ->
                                result.differences().stream().anyMatch(difference -> entry.covers(result, difference))))
                .toList();
    }
}
