package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.soak.Series.Trend;
import io.boltshuffle.proof.soak.inspark.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of a soak.
 *
 * @param expected what stock Spark gave, by job
 * @param unsettled what had not come back when the application was over: RDMA, or memory that agents still held
 */
record SoakResults(
        String spark,
        long seed,
        MachineState machine,
        Map<String, String> expected,
        List<JobResult> jobs,
        List<FaultEvent> events,
        Arrivals arrivals,
        Traffic traffic,
        List<Series> series,
        List<String> unsettled) {

    /**
     * The traffic over the cables.
     *
     * @param corruptedFrames damaged on purpose
     * @param damageFound links that found damaged bytes, and went down for it
     * @param failedLinks by reason
     * @param failedFetches by reason; their blocks came by TCP
     * @param servedFromMemoryBytes of the bytes those that no file was read for
     * @param laidOutBlocks pieces of broadcasts and cached partitions that their processes laid out for RDMA
     */
    record Traffic(
            long rdmaBytes,
            long corruptedFrames,
            long damageFound,
            Map<String, Long> failedLinks,
            Map<String, Long> failedFetches,
            long servedFromMemoryBytes,
            long laidOutBlocks) {}

    /** Returns one line for each thing that is wrong. */
    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        jobs.stream()
                .filter(job -> !isRight(job))
                .map(job -> job.job() + (job.failed() ? " " : " gave something else than stock Spark: ") + job.answer())
                .forEach(faults::add);
        if (jobs.isEmpty()) {
            faults.add("no job has ended");
        }
        if (traffic.corruptedFrames() > 0 && traffic.damageFound() == 0) {
            faults.add(traffic.corruptedFrames() + " frames were damaged and no link has found it");
        }
        recoveries().violation().ifPresent(faults::add);
        series.stream().flatMap(one -> growth(one).stream()).forEach(faults::add);
        faults.addAll(unsettled);
        return faults;
    }

    private boolean isRight(JobResult job) {
        return job.answer().equals(expected.get(job.job()));
    }

    private static Optional<String> growth(Series series) {
        Trend trend = series.trend();
        return trend.kind() == Trend.Kind.GROWN
                ? Optional.of(series.process() + ": " + series.quantity().label() + " grew from "
                        + series.quantity().text(trend.early()) + " to "
                        + series.quantity().text(trend.late()))
                : Optional.empty();
    }

    Report report() {
        Report report = new Report("bolt soak")
                .line(machine.toText())
                .line("Spark " + spark + ", seed " + seed)
                .line(jobs.size() + " jobs, " + right() + " gave what stock Spark gives")
                .line(events.size() + " faults: " + words(eventCounts()))
                .line(String.format(
                        Locale.ROOT,
                        "%.1f MB came by RDMA, of which %.1f MB were served from memory",
                        traffic.rdmaBytes() / 1e6,
                        traffic.servedFromMemoryBytes() / 1e6))
                .line("pieces of broadcasts and cached partitions that went by RDMA: " + traffic.laidOutBlocks())
                .line(recoveries().summary())
                .line(traffic.corruptedFrames() + " frames were damaged on purpose; " + traffic.damageFound()
                        + " links found damage and went down")
                .line("links that failed: " + words(traffic.failedLinks()))
                .line("fetches that failed and went by TCP: " + words(traffic.failedFetches()))
                .line("")
                .table(recoveries().table())
                .line("")
                .table(trends());
        faults().forEach(report::fault);
        return report.figure("machine", machine.toJson())
                .figure("spark", spark)
                .figure("seed", seed)
                .figure("jobs", jobs.size())
                .figure("right", right())
                .figure("faults", eventCounts())
                .figure("traffic", traffic)
                .figure("recoveries", recoveries().toJson())
                .figure("trends", series.stream().map(SoakResults::json).toList())
                .figure("violations", report.faults());
    }

    private long right() {
        return jobs.stream().filter(this::isRight).count();
    }

    private Recoveries recoveries() {
        return Recoveries.of(events, arrivals);
    }

    private static String words(Map<String, Long> counts) {
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .map(count -> count.getKey() + " " + count.getValue())
                        .collect(Collectors.joining(", "));
    }

    private Map<String, Long> eventCounts() {
        return events.stream()
                .collect(Collectors.groupingBy(event -> event.fault().label(), TreeMap::new, Collectors.counting()));
    }

    private TextTable trends() {
        return new TextTable(
                List.of("what", "of", "early", "late", ""),
                series.stream().map(SoakResults::row).toList());
    }

    private static List<String> row(Series series) {
        Trend trend = series.trend();
        return List.of(
                series.quantity().label(),
                series.process(),
                series.quantity().text(trend.early()),
                series.quantity().text(trend.late()),
                switch (trend.kind()) {
                    case STEADY -> "steady";
                    case GROWN -> "GROWN";
                    case UNJUDGED -> "not judged";
                });
    }

    private static Map<String, Object> json(Series series) {
        Trend trend = series.trend();
        return Map.of(
                "quantity", series.quantity(),
                "process", series.process(),
                "early", trend.early(),
                "late", trend.late(),
                "trend", trend.kind(),
                "points", series.points().size());
    }
}
