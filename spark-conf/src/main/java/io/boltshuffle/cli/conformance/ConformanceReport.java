package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.bench.report.TextTable;
import io.boltshuffle.cli.conformance.SuiteResult.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a conformance run says, as a table for people and as JSON for programs. */
public record ConformanceReport(List<LineResult> lines) {

    private static final String LEGEND =
            "passed/failed/skipped; - where it was not run. readers, bytes: what our manager was"
                    + " used for in the run over RDMA, killed JVMs left out";

    public ConformanceReport {
        lines = List.copyOf(lines);
    }

    /** Why this is no proof; one line each, empty when all is well. */
    public List<String> faults() {
        return lines.stream().flatMap(line -> line.faults().stream()).toList();
    }

    public String toText() {
        List<String> blocks = new ArrayList<>();
        for (LineResult line : lines) {
            blocks.add(new TextTable(header(line), rows(line)).toText());
            for (SuiteResult result : line.suites()) {
                for (Difference test : result.unsteady()) {
                    blocks.add("unsteady (failed, then passed): "
                            + result.suite().shortName() + ", " + test.variant().label() + ": " + test.test());
                }
            }
        }
        blocks.add(LEGEND);
        return String.join(System.lineSeparator(), blocks);
    }

    private static List<String> header(LineResult line) {
        return List.of(
                "Spark " + line.sparkRelease(),
                "stock",
                "ours, tcp",
                "ours, rdma",
                "readers",
                "rdma MB",
                "tcp MB",
                "s");
    }

    private static List<List<String>> rows(LineResult line) {
        return line.suites().stream()
                .map(result -> List.of(
                        result.suite().topic() + ": " + result.suite().shortName(),
                        counts(result, SuiteVariant.STOCK),
                        counts(result, SuiteVariant.TCP),
                        counts(result, SuiteVariant.RDMA),
                        tallied(result, "readers", 1),
                        tallied(result, "bytes.rdma", 1e-6),
                        tallied(result, "bytes.netty", 1e-6),
                        Long.toString(result.outcomes().values().stream()
                                .mapToLong(outcome -> outcome.wall().toSeconds())
                                .sum())))
                .toList();
    }

    private static String counts(SuiteResult result, SuiteVariant variant) {
        return Optional.ofNullable(result.outcomes().get(variant))
                .map(outcome -> outcome.count(TestOutcome.PASSED) + "/" + outcome.count(TestOutcome.FAILED) + "/"
                        + outcome.count(TestOutcome.SKIPPED))
                .orElse("-");
    }

    private static String tallied(SuiteResult result, String name, double scale) {
        return Optional.ofNullable(result.outcomes().get(SuiteVariant.RDMA))
                .map(outcome -> outcome.tallied(name))
                .map(value -> scale == 1 ? value.toString() : "%.1f".formatted(value * scale))
                .orElse("-");
    }

    /** For programs: plain names. */
    public List<Map<String, Object>> toJson() {
        return lines.stream().map(ConformanceReport::toJson).toList();
    }

    private static Map<String, Object> toJson(LineResult line) {
        return Map.of(
                "spark", line.sparkRelease(),
                "faults", line.faults(),
                "suites", line.suites().stream().map(ConformanceReport::toJson).toList());
    }

    private static Map<String, Object> toJson(SuiteResult result) {
        Map<String, Object> variants = new LinkedHashMap<>();
        result.outcomes()
                .forEach((variant, outcome) -> variants.put(
                        variant.label(),
                        Map.of(
                                "passed", outcome.count(TestOutcome.PASSED),
                                "failed", outcome.failed(),
                                "skipped", outcome.count(TestOutcome.SKIPPED),
                                "tally", outcome.tally(),
                                "seconds", outcome.wall().toSeconds())));
        return Map.of(
                "suite", result.suite().className(),
                "variants", variants,
                "differences", toJson(result.differences()),
                "unsteady", toJson(result.unsteady()));
    }

    private static List<Map<String, String>> toJson(List<Difference> differences) {
        return differences.stream()
                .map(difference -> Map.of("variant", difference.variant().label(), "test", difference.test()))
                .toList();
    }
}
