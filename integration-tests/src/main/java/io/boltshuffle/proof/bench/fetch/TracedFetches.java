package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.TracedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Fetches of one block each, made one after the other in one setup, step by step.
 *
 * @param lives at least one
 */
record TracedFetches(FetchSetup setup, List<FetchLife> lives) {
    private static final List<String> COLUMNS = List.of("us", "after", "host", "step", "thread");
    private static final double MICRO = 1e3;

    TracedFetches {
        if (lives.isEmpty()) {
            throw new IllegalArgumentException("no fetch was traced: " + setup.title());
        }
    }

    /** Tells a report how the fetch went that took the median time. */
    void tell(Report report) {
        report.heading(String.format(
                        Locale.ROOT,
                        "%s: one fetch at a time, and how the one of %d went that took the median of %.0f us",
                        setup.title(),
                        lives.size(),
                        median().nanos() / MICRO))
                .table(table(), TextTable.Align.LEFT)
                .line("changes of thread: " + changes(FetchStep.Host.ASKING) + " on the asking host, "
                        + changes(FetchStep.Host.SERVING) + " on the serving one");
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cables", setup.cables().label());
        json.put("fetches", lives.size());
        for (FetchStep.Host host : FetchStep.Host.values()) {
            json.put("threadChanges" + (host == FetchStep.Host.ASKING ? "Asking" : "Serving"), medianChanges(host));
        }
        json.put("median", median().steps().stream().map(this::toJson).toList());
        return json;
    }

    private Map<String, Object> toJson(TracedStep step) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("step", step.step().name());
        json.put("micros", micros(step));
        json.put("thread", step.thread());
        json.put("process", step.process());
        return json;
    }

    /** Returns the fetch that half of the others were faster than. */
    private FetchLife median() {
        return lives.stream()
                .sorted(Comparator.comparingLong(FetchLife::nanos))
                .toList()
                .get(lives.size() / 2);
    }

    private String changes(FetchStep.Host host) {
        int[] sorted = changesInOrder(host);
        return medianChanges(host) + " (" + sorted[0] + " to " + sorted[sorted.length - 1] + ")";
    }

    private int medianChanges(FetchStep.Host host) {
        return changesInOrder(host)[lives.size() / 2];
    }

    private int[] changesInOrder(FetchStep.Host host) {
        return lives.stream().mapToInt(life -> life.handOffs(host)).sorted().toArray();
    }

    private TextTable table() {
        List<List<String>> rows = new ArrayList<>();
        double before = 0;
        for (TracedStep step : median().steps()) {
            double now = micros(step);
            rows.add(List.of(
                    String.format(Locale.ROOT, "%.0f", now),
                    String.format(Locale.ROOT, "%.0f", now - before),
                    step.step().host().name().toLowerCase(Locale.ROOT),
                    step.step().words(),
                    step.thread()));
            before = now;
        }
        return new TextTable(COLUMNS, rows);
    }

    private double micros(TracedStep step) {
        return (step.nanos() - median().steps().get(0).nanos()) / MICRO;
    }
}
