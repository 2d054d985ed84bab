package io.boltshuffle.proof.conformance;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Formats suites by Spark lines, in Markdown. A cell has passed/failed/skipped, once for all variants that agree (by
 * their first letters), an asterisk if only some tests ran, and in brackets how many fetches went by RDMA.
 */
record ConformanceMatrix(List<LineResult> lines) {

    private static final String FETCHES = "fetches.rdma";

    String toMarkdown() {
        List<String> table = new ArrayList<>();
        table.add(row("suite", lines.stream().map(LineResult::sparkLine).toList()));
        table.add(row("---", lines.stream().map(line -> "---").toList()));
        for (Suite suite : suites()) {
            table.add(row(
                    suite.shortName(),
                    lines.stream().map(line -> cell(line, suite)).toList()));
        }
        return String.join(System.lineSeparator(), table);
    }

    private static String row(String first, List<String> others) {
        return "| " + first + " | " + String.join(" | ", others) + " |";
    }

    /** Returns the suites in the order of the list. */
    private List<Suite> suites() {
        Set<Suite> present = lines.stream()
                .flatMap(line -> line.suites().stream())
                .map(SuiteResult::suite)
                .collect(Collectors.toSet());
        return SuiteCatalogue.all().stream().filter(present::contains).toList();
    }

    private static String cell(LineResult line, Suite suite) {
        return line.suites().stream()
                .filter(result -> result.suite().equals(suite))
                .findFirst()
                .map(ConformanceMatrix::cell)
                .orElse("-");
    }

    private static String cell(SuiteResult result) {
        Map<String, Set<SuiteVariant>> byCounts = new LinkedHashMap<>();
        new TreeMap<>(result.outcomes())
                .forEach((variant, outcome) -> byCounts.computeIfAbsent(
                                outcome.counts(), counts -> EnumSet.noneOf(SuiteVariant.class))
                        .add(variant));
        String counts = byCounts.entrySet().stream()
                .map(entry -> letters(entry.getValue()) + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        SuiteOutcome rdma = result.outcomes().get(SuiteVariant.RDMA);
        return rdma == null ? counts : counts + " (" + rdma.tallied(FETCHES) + ")";
    }

    private static String letters(Set<SuiteVariant> variants) {
        return variants.stream().map(variant -> variant.label().substring(0, 1)).collect(Collectors.joining());
    }
}
