package io.boltshuffle.proof.conformance;

import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The results of a conformance run, as a table for people and as JSON for programs. */
public record ConformanceReport(List<LineResult> lines, Explanations explanations) {

    private static final String LEGEND =
            "passed/failed/skipped; - where it was not run, * where only some tests were. readers, bytes: what our "
                    + "manager was used for in the run over RDMA, killed JVMs left out";

    private static final String OUR_WRITES = "write.tasks";
    private static final String SPARKS_WRITES = "write.spark.";
    /** Counters of blocks that are not of shuffles go on with the block's class. */
    private static final String LIVE_BY_RDMA = "blocks.rdma.";

    private static final String LIVE_BY_NETTY = "blocks.netty.";

    public ConformanceReport {
        lines = List.copyOf(lines);
    }

    static ConformanceReport of(List<LineResult> lines) {
        return new ConformanceReport(lines, Explanations.shipped());
    }

    /** Merges what {@link #toJson} of several reports wrote into one report. */
    static ConformanceReport merge(List<Path> files) {
        Map<String, LineResult> lines = new TreeMap<>(Comparator.reverseOrder());
        files.stream()
                .flatMap(file -> ResultDocument.read(file).stream())
                .forEach(line -> lines.merge(line.sparkRelease(), line, LineResult::and));
        return of(List.copyOf(lines.values()));
    }

    /** Returns why this is no proof; one line each, empty if all is well. */
    public List<String> faults() {
        return lines.stream()
                .flatMap(line -> line.faults(explanations).stream())
                .toList();
    }

    /** Returns the faults of a part that {@link #merge} will judge as a whole. */
    List<String> faultsOfPart() {
        return lines.stream()
                .flatMap(line -> line.faultsOfPart(explanations).stream())
                .toList();
    }

    public String toText() {
        List<String> blocks = new ArrayList<>();
        for (LineResult line : lines) {
            blocks.add(new TextTable(header(line), rows(line)).toText());
        }
        blocks.add(LEGEND);
        blocks.addAll(notes());
        return String.join(System.lineSeparator(), blocks);
    }

    /** Returns all lines in one table, in Markdown. */
    String toMarkdown() {
        return String.join(
                System.lineSeparator() + System.lineSeparator(),
                new ConformanceMatrix(lines).toMarkdown(),
                String.join(System.lineSeparator(), notes()));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (LineResult line : lines) {
            writers(line).ifPresent(notes::add);
            liveBlocks(line).ifPresent(notes::add);
            for (SuiteResult result : line.suites()) {
                for (Difference test : result.unsteady()) {
                    notes.add("unsteady (failed once, passed once): " + title(line, result, test));
                }
                for (Difference test : result.differences()) {
                    explanations
                            .reason(line, result, test)
                            .ifPresent(reason -> notes.add("explained: " + title(line, result, test) + ": " + reason));
                }
            }
        }
        explanations
                .stale(lines)
                .forEach(entry -> notes.add("explained, but did not occur: " + entry.suite() + ": " + entry.test()));
        return notes;
    }

    /** Which writers wrote the map outputs, over all suites and variants of ours. */
    private static Optional<String> writers(LineResult line) {
        Map<String, Long> writes = counted(line, List.of(OUR_WRITES, SPARKS_WRITES));
        if (writes.isEmpty()) {
            return Optional.empty();
        }
        long ours = writes.getOrDefault(OUR_WRITES, 0L);
        writes.remove(OUR_WRITES);
        String sparks = writes.entrySet().stream()
                .map(count -> count.getValue() + " "
                        + count.getKey().substring(SPARKS_WRITES.length()).replace('_', ' '))
                .collect(Collectors.joining(", "));
        return Optional.of(line.sparkLine() + ": our writer wrote " + ours + " map outputs, Spark's writers "
                + (sparks.isEmpty() ? "none" : sparks));
    }

    /** How broadcasts, cached partitions and results came; empty where the plugin had no part in them. */
    private static Optional<String> liveBlocks(LineResult line) {
        String byRdma = byClass(line, LIVE_BY_RDMA);
        String byNetty = byClass(line, LIVE_BY_NETTY);
        return byRdma.isEmpty() && byNetty.isEmpty()
                ? Optional.empty()
                : Optional.of(line.sparkLine() + ": blocks that are not of shuffles: by RDMA "
                        + (byRdma.isEmpty() ? "none" : byRdma) + "; by Netty "
                        + (byNetty.isEmpty() ? "none" : byNetty));
    }

    private static String byClass(LineResult line, String prefix) {
        return counted(line, List.of(prefix)).entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey().substring(prefix.length()))
                .collect(Collectors.joining(", "));
    }

    /** Adds up the counters whose names begin with one of these, over all suites and variants of ours. */
    private static Map<String, Long> counted(LineResult line, List<String> prefixes) {
        Map<String, Long> sums = new TreeMap<>();
        line.suites().stream()
                .flatMap(result -> result.outcomes().values().stream())
                .flatMap(outcome -> outcome.tally().entrySet().stream())
                .filter(count -> prefixes.stream().anyMatch(count.getKey()::startsWith))
                .forEach(count -> sums.merge(count.getKey(), count.getValue(), Long::sum));
        return sums;
    }

    private static String title(LineResult line, SuiteResult result, Difference test) {
        return line.sparkLine() + ", " + result.suite().shortName() + ", "
                + test.variant().label() + ": " + test.test();
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
                .map(SuiteOutcome::counts)
                .orElse("-");
    }

    private static String tallied(SuiteResult result, String name, double scale) {
        return Optional.ofNullable(result.outcomes().get(SuiteVariant.RDMA))
                .map(outcome -> outcome.tallied(name))
                .map(value -> scale == 1 ? value.toString() : "%.1f".formatted(value * scale))
                .orElse("-");
    }

    /** Returns the report for programs, and for {@link #merge}. */
    public Object toJson() {
        return ResultDocument.of(lines, explanations);
    }
}
