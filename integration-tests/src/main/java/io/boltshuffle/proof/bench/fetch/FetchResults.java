package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.proof.bench.inspark.FetchSample;
import io.boltshuffle.proof.bench.report.Columns;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Quantity;
import io.boltshuffle.proof.bench.report.SparkRelease;
import java.util.List;
import java.util.Locale;

/**
 * The results of {@code bolt bench fetch}. They have no faults: limits stand beside the figures, and the reader judges
 * which of them this machine misses.
 *
 * @param traces of setups in which fetches were followed
 * @param skipped paths that this machine cannot have, with the reason
 */
record FetchResults(
        String sparkRelease,
        MachineState before,
        MachineState after,
        List<FetchPoint> points,
        List<TracedFetches> traces,
        List<String> skipped) {
    private static final String EXPLANATION =
            "Medians. CPU is that of both executors and both agents; the emulator's, which real cables do not use, is"
                    + " shown apart and not counted, but takes its part of the same cores. limit: what the ratio of CPU"
                    + " is wanted to be at most. MB/GB: allocated on the fetching executor's heap.";

    Report report() {
        Report report = new Report("bolt bench fetch").line(SparkRelease.described(sparkRelease));
        report.figure("spark", sparkRelease);
        points.stream()
                .map(FetchPoint::setup)
                .distinct()
                .forEach(setup -> report.heading(setup.title())
                        .table(columns()
                                .table(points.stream()
                                        .filter(point -> point.setup().equals(setup))
                                        .toList())));
        report.figure("points", points.stream().map(FetchPoint::toJson).toList());
        traces.forEach(traced -> traced.tell(report));
        if (!traces.isEmpty()) {
            report.figure("traces", traces.stream().map(TracedFetches::toJson).toList());
        }
        report.line("").figure("skipped", skipped);
        skipped.forEach(each -> report.line("skipped: " + each));
        report.line(EXPLANATION);
        MachineState.tell(before, after, report);
        return report;
    }

    private static Columns<FetchPoint> columns() {
        Columns<FetchPoint> columns = new Columns<FetchPoint>()
                .and("blocks", point -> ByteFigures.bytes(point.blockBytes()))
                .and("fetchers", point -> Integer.toString(point.fetchers()));
        both(columns, "GB/s", FetchCost.SPEED).andRatio("ratio", FetchPoint::throughputRatio);
        both(columns, "CPU s/GB", FetchCost.CPU)
                .andRatio("ratio", FetchPoint::cpuRatio)
                .and("limit", FetchResults::limit)
                .and("exec", point -> point.boltshuffle().text(FetchCost.EXECUTOR_CPU))
                .and("agent", point -> point.boltshuffle().text(FetchCost.AGENT_CPU))
                .and("emulator", point -> point.boltshuffle().text(FetchCost.EMULATOR_CPU));
        both(columns, "p50 ms", FetchCost.P50);
        both(columns, "p99 ms", FetchCost.P99);
        return both(columns, "MB/GB", FetchCost.ALLOCATED)
                .and(
                        "by RDMA",
                        point -> FetchCost.RDMA_SHARE.text(
                                point.boltshuffle().of(FetchCost.RDMA_SHARE).least()));
    }

    private static Columns<FetchPoint> both(Columns<FetchPoint> columns, String title, Quantity<FetchSample> quantity) {
        return columns.and(title, point -> point.boltshuffle().text(quantity))
                .and("Netty", point -> point.stock().text(quantity));
    }

    private static String limit(FetchPoint point) {
        return point.cpuRatioLimit().isPresent()
                ? String.format(Locale.ROOT, "%.2f", point.cpuRatioLimit().getAsDouble())
                : "";
    }
}
