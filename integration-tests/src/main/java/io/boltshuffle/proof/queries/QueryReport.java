package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The results of a comparison of queries, as a table for people and as JSON for programs. */
record QueryReport(String sparkRelease, String scale, List<QueryComparison> comparisons) {

    QueryReport {
        comparisons = List.copyOf(comparisons);
    }

    Report report() {
        Report report = new Report("bolt queries").line(toText()).figure("comparisons", toJson());
        faults().forEach(report::fault);
        return report;
    }

    List<String> faults() {
        return comparisons.stream()
                .flatMap(comparison -> comparison.faults().stream())
                .toList();
    }

    String toText() {
        List<String> blocks = new ArrayList<>();
        blocks.add(new TextTable(
                        List.of(
                                "Spark " + sparkRelease + ", scale " + scale,
                                "run",
                                "equal",
                                "fail in stock",
                                "differ",
                                "rdma MB",
                                "tcp MB"),
                        comparisons.stream().map(QueryReport::row).toList())
                .toText());
        comparisons.forEach(comparison -> comparison
                .stockFailed()
                .forEach(query -> blocks.add(
                        "not compared, because it fails with stock Spark: " + comparison.benchmark() + " " + query)));
        comparisons.forEach(comparison -> comparison
                .unrepeatable()
                .forEach(query -> blocks.add("not compared, because stock Spark gives two answers: "
                        + comparison.benchmark() + " " + query)));
        return String.join(System.lineSeparator(), blocks);
    }

    private static List<String> row(QueryComparison comparison) {
        return List.of(
                comparison.benchmark(),
                Integer.toString(comparison.queries()),
                Integer.toString(comparison.equal()),
                Integer.toString(comparison.stockFailed().size()),
                Integer.toString(comparison.differing().size()),
                QueryComparison.megabytes(comparison.rdmaBytes()),
                QueryComparison.megabytes(comparison.nettyBytes()));
    }

    /** Returns the report for programs: plain names, null for unknown values. */
    List<Map<String, @Nullable Object>> toJson() {
        return comparisons.stream().map(QueryReport::toJson).toList();
    }

    private static Map<String, @Nullable Object> toJson(QueryComparison comparison) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("benchmark", comparison.benchmark());
        json.put("queries", comparison.queries());
        json.put("stockFailed", comparison.stockFailed());
        json.put("differing", comparison.differing());
        json.put("unrepeatable", comparison.unrepeatable());
        json.put("rdmaBytes", boxed(comparison.rdmaBytes()));
        json.put("nettyBytes", boxed(comparison.nettyBytes()));
        return json;
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
