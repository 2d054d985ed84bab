package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The conclusion from results: a table, notes, and what is no proof, or proof of the contrary.
 *
 * @param whole false for a part of a run, whose suites may be some that fetch nothing
 */
record Verdict(List<SuiteResult> results, Explanations explanations, boolean whole) {
    private static final String LEGEND =
            "passed/failed/skipped; - where it was not run, * where only some tests were. readers, bytes: what our "
                    + "manager was used for in the run over RDMA, killed JVMs left out";

    /** {@code SuiteTally}'s count of shuffle managers. */
    private static final String MANAGERS = "managers";

    private static final String RDMA_BYTES = "bytes.rdma";
    private static final String OUR_WRITES = "write.tasks";
    private static final String SPARKS_WRITES = "write.spark.";

    /** Counters of blocks that are not of shuffles go on with the block's class. */
    private static final String LIVE_BY_RDMA = "blocks.rdma.";

    private static final String LIVE_BY_NETTY = "blocks.netty.";

    Report report() {
        Report report = new Report("bolt conformance");
        Map<String, List<SuiteResult>> byRelease = results.stream()
                .collect(Collectors.groupingBy(SuiteResult::release, LinkedHashMap::new, Collectors.toList()));
        byRelease.forEach((release, of) -> report.table(table(release, of)));
        report.line(LEGEND);
        byRelease.values().forEach(of -> {
            writers(of).ifPresent(report::line);
            liveBlocks(of).ifPresent(report::line);
        });
        results.forEach(result -> notes(result).forEach(report::line));
        explanations
                .stale(results)
                .forEach(entry -> report.line("explained, but did not occur: " + entry.suite() + ": " + entry.test()));
        results.stream().flatMap(result -> faults(result).stream()).forEach(report::fault);
        if (whole) {
            byRelease.forEach((release, of) ->
                    withoutRdma(of).ifPresent(fault -> report.fault("Spark " + release + ", " + fault)));
        }
        return report.figure("suites", results.stream().map(Verdict::toJson).toList())
                .figure("faults", report.faults());
    }

    private static TextTable table(String release, List<SuiteResult> results) {
        return new TextTable(
                List.of("Spark " + release, "stock", "ours, tcp", "ours, rdma", "readers", "rdma MB", "tcp MB", "s"),
                results.stream()
                        .map(result -> List.of(
                                result.suite().topic() + ": " + result.suite().shortName(),
                                result.runs(SuiteVariant.STOCK).counts(),
                                result.runs(SuiteVariant.TCP).counts(),
                                result.runs(SuiteVariant.RDMA).counts(),
                                Long.toString(result.runs(SuiteVariant.RDMA).tallied("readers")),
                                megabytes(result, RDMA_BYTES),
                                megabytes(result, "bytes.netty"),
                                Long.toString(seconds(result))))
                        .toList());
    }

    private static String megabytes(SuiteResult result, String name) {
        return "%.1f".formatted(result.runs(SuiteVariant.RDMA).tallied(name) * 1e-6);
    }

    private static long seconds(SuiteResult result) {
        return result.variants().values().stream()
                .flatMap(runs -> runs.runs().stream())
                .mapToLong(SuiteRun::seconds)
                .sum();
    }

    /** Returns which writers wrote the map outputs, over all suites and variants of ours. */
    private static Optional<String> writers(List<SuiteResult> results) {
        Map<String, Long> sparks = counted(results, SPARKS_WRITES);
        long ours = counted(results, OUR_WRITES).getOrDefault("", 0L);
        return ours == 0 && sparks.isEmpty()
                ? Optional.empty()
                : Optional.of(results.get(0).sparkLine() + ": our writer wrote " + ours
                        + " map outputs, Spark's writers " + words(sparks).replace('_', ' '));
    }

    /** Returns how broadcasts, cached partitions and results came; empty where the plugin had no part in them. */
    private static Optional<String> liveBlocks(List<SuiteResult> results) {
        Map<String, Long> byRdma = counted(results, LIVE_BY_RDMA);
        Map<String, Long> byNetty = counted(results, LIVE_BY_NETTY);
        return byRdma.isEmpty() && byNetty.isEmpty()
                ? Optional.empty()
                : Optional.of(results.get(0).sparkLine() + ": blocks that are not of shuffles: by RDMA " + words(byRdma)
                        + "; by Netty " + words(byNetty));
    }

    private static String words(Map<String, Long> counts) {
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey())
                        .collect(Collectors.joining(", "));
    }

    /** Adds up the counters whose names begin so, by what follows, over all suites and variants of ours. */
    private static Map<String, Long> counted(List<SuiteResult> results, String prefix) {
        Map<String, Long> sums = new TreeMap<>();
        results.stream()
                .flatMap(result -> result.variants().values().stream())
                .flatMap(SuiteRuns::whole)
                .flatMap(run -> run.tally().entrySet().stream())
                .filter(count -> count.getKey().startsWith(prefix))
                .forEach(count -> sums.merge(count.getKey().substring(prefix.length()), count.getValue(), Long::sum));
        return sums;
    }

    private List<String> notes(SuiteResult result) {
        List<String> notes = new ArrayList<>();
        result.unsteady().forEach(test -> notes.add("unsteady (failed once, passed once): " + title(result, test)));
        result.differences()
                .forEach(test -> explanations
                        .reason(result, test)
                        .ifPresent(reason -> notes.add("explained: " + title(result, test) + ": " + reason)));
        return notes;
    }

    private static String title(SuiteResult result, Difference test) {
        return result.sparkLine() + ", " + result.suite().shortName() + ", "
                + test.variant().label() + ": " + test.test();
    }

    private List<String> faults(SuiteResult result) {
        String head = "Spark " + result.release() + ", ";
        String suite = head + result.suite().shortName() + ", ";
        List<String> faults = new ArrayList<>();
        result.differences().stream()
                .filter(test -> explanations.reason(result, test).isEmpty())
                .forEach(test -> faults.add(suite + test.variant().label() + ": '" + test.test()
                        + "' passes with Spark's shuffle and not with ours"));
        new TreeMap<>(result.variants())
                .forEach((variant, runs) -> unproved(variant, runs)
                        .ifPresent(reason -> faults.add(suite + variant.label() + ": " + reason)));
        result.leaks().forEach(leak -> faults.add(head + leak));
        return faults;
    }

    private static Optional<String> unproved(SuiteVariant variant, SuiteRuns runs) {
        if (runs.isLost()) {
            return Optional.of("the suite did not come to its end: "
                    + runs.runs().get(runs.runs().size() - 1).lastWords());
        }
        return variant != SuiteVariant.STOCK && runs.tallied(MANAGERS) == 0
                ? Optional.of("our shuffle manager was never made, so this proves nothing")
                : Optional.empty();
    }

    private static Optional<String> withoutRdma(List<SuiteResult> results) {
        boolean ran = results.stream().anyMatch(result -> result.variants().containsKey(SuiteVariant.RDMA));
        return ran && counted(results, RDMA_BYTES).getOrDefault("", 0L) == 0
                ? Optional.of("no byte came by RDMA in any suite")
                : Optional.empty();
    }

    private static Map<String, Object> toJson(SuiteResult result) {
        Map<String, Object> variants = new TreeMap<>();
        result.variants()
                .forEach((variant, runs) -> variants.put(
                        variant.label(),
                        Map.of(
                                "passed", runs.count(TestOutcome.PASSED),
                                "failed", runs.count(TestOutcome.FAILED),
                                "skipped", runs.count(TestOutcome.SKIPPED),
                                "partial", runs.partial(),
                                "tally",
                                        runs.whole()
                                                .findFirst()
                                                .map(SuiteRun::tally)
                                                .orElse(Map.of()))));
        return Map.of(
                "spark", result.release(),
                "suite", result.suite().className(),
                "variants", variants,
                "differences", result.differences(),
                "unsteady", result.unsteady(),
                "leaks", result.leaks());
    }
}
