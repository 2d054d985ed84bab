package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.bench.LinkBench.JavaEnd;
import io.boltshuffle.proof.bench.LinkBench.Round;
import io.boltshuffle.proof.bench.report.Columns;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The cost of a link in one mode, each figure beside the same in C and beside its limit. */
record LinkFigures(String mode, List<Row> rows) {

    /**
     * @param reference the same without Java or without the link, if there is such a thing
     * @param limit the limit, or null for a figure that is only shown
     */
    record Row(
            String name,
            @Nullable Samples reference,
            Samples measured,
            @Nullable Limit limit) {

        double result() {
            return limit == null ? measured.median() : limit.result(base(), measured.median());
        }

        boolean holds() {
            return limit == null || limit.holds(result());
        }

        private double base() {
            return reference == null ? 0 : reference.median();
        }
    }

    static LinkFigures of(String mode, List<Round> rounds) {
        return new LinkFigures(
                mode,
                List.of(
                        new Row(
                                "stream of 1 MiB messages, GB/s",
                                c(rounds, round -> round.c().gbPerSecond()),
                                java(rounds, end -> end.stream().gigabytesPerSecond()),
                                new Limit(Limit.Kind.RATIO_AT_LEAST, 0.8)),
                        new Row(
                                "CPU s/GB, both JVMs, without checksums",
                                null,
                                java(
                                        rounds,
                                        end -> end.cost().fetching()
                                                + end.cost().serving()),
                                new Limit(Limit.Kind.BELOW, 0.03)),
                        new Row(
                                "  of it the fetching JVM",
                                null,
                                java(rounds, end -> end.cost().fetching()),
                                null),
                        new Row(
                                "  of it the serving JVM",
                                null,
                                java(rounds, end -> end.cost().serving()),
                                null),
                        new Row(
                                "CPU s/GB, checksums (beside: alone)",
                                c(rounds, Round::checksum),
                                java(rounds, end -> end.cost().checksums()),
                                new Limit(Limit.Kind.RATIO_AT_MOST, 1.1)),
                        new Row(
                                "idle link, share of a core in one JVM",
                                null,
                                java(rounds, end -> end.cost().idleShare()),
                                new Limit(Limit.Kind.BELOW, 0.01)),
                        new Row(
                                "4 KiB round trip, median us",
                                c(rounds, round -> round.c().roundTrip().p50Us()),
                                java(rounds, end -> end.latency().p50()),
                                new Limit(Limit.Kind.EXCESS_BELOW, 5))));
    }

    private static Samples c(List<Round> rounds, ToDoubleFunction<Round> quantity) {
        return Samples.of(rounds.stream().map(quantity::applyAsDouble).toList());
    }

    private static Samples java(List<Round> rounds, ToDoubleFunction<JavaEnd> quantity) {
        return Samples.of(rounds.stream()
                .flatMap(round -> round.java().stream())
                .map(quantity::applyAsDouble)
                .toList());
    }

    /** Returns the report, in which a figure that misses its limit is a fault. */
    Report report() {
        Report report = new Report("bolt bench link")
                .table(new Columns<Row>()
                        .and(mode + " mode", Row::name)
                        .and("in C", row -> row.reference() == null ? "" : text(row.reference()))
                        .and("boltshuffle", row -> text(row.measured()))
                        .and(
                                "result",
                                row -> row.limit() == null ? "" : row.limit().text(row.result()))
                        .and(
                                "limit",
                                row -> row.limit() == null ? "" : row.limit().toString())
                        .and("", row -> row.limit() == null ? "" : row.holds() ? "holds" : "MISSED")
                        .table(rows))
                .line("median (least .. most) of each");
        rows.stream()
                .filter(row -> !row.holds())
                .forEach(row -> report.fault(mode + " mode: " + row.name().strip() + " misses its limit"));
        return report.figure("mode", mode)
                .figure("holds", report.faults().isEmpty())
                .figure("figures", rows.stream().map(LinkFigures::json).toList());
    }

    private static String text(Samples samples) {
        String format = samples.median() < 1 ? "%.4f (%.4f .. %.4f)" : "%.2f (%.2f .. %.2f)";
        return String.format(Locale.ROOT, format, samples.median(), samples.least(), samples.most());
    }

    private static Map<String, Object> json(Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", row.name().strip());
        json.put("measured", row.measured().toJson());
        if (row.reference() != null) {
            json.put("reference", row.reference().toJson());
        }
        if (row.limit() != null) {
            json.put("result", row.result());
            json.put("limit", row.limit().kind());
            json.put("bound", row.limit().bound());
            json.put("holds", row.holds());
        }
        return json;
    }
}
