package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.ShuffleReported;
import io.boltshuffle.spark.report.StageTraffic;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which reports go to the event log. The interval between the logged reports of one executor doubles after
 * every {@value #REPORTS_PER_INTERVAL} of them, so that a log grows with the logarithm of the time. The next logged
 * report carries what an omitted report said about its stages.
 *
 * <p><b>Threads:</b> guarded by its owner.
 */
final class ReportLog {
    static final int REPORTS_PER_INTERVAL = 200;
    private static final long FIRST_INTERVAL_MILLIS = 1_000;
    private static final int MAX_WAITING_STAGES = 256;

    private final Map<String, Pace> paces = new HashMap<>();

    private static final class Pace {
        private long intervalMillis = FIRST_INTERVAL_MILLIS;
        private long lastMillis = Long.MIN_VALUE / 2;
        private int reports;
        private ShuffleReported last;
        private boolean lastIsLogged;
        private final Map<List<Integer>, StageTraffic> waitingStages = new LinkedHashMap<>();

        Pace(ShuffleReported first) {
            this.last = first;
        }
    }

    /**
     * Takes a report, and returns it if it is to be logged.
     *
     * @param urgent whether it has to be logged now
     */
    Optional<ShuffleReported> offer(ShuffleReported event, boolean urgent) {
        Pace pace = paces.computeIfAbsent(event.report().executor(), key -> new Pace(event));
        pace.last = event;
        pace.lastIsLogged = false;
        for (StageTraffic stage : event.report().traffic().stages()) {
            pace.waitingStages.put(List.of(stage.stage(), stage.attempt()), stage);
        }
        boolean due = event.timeMillis() - pace.lastMillis >= pace.intervalMillis
                || pace.waitingStages.size() > MAX_WAITING_STAGES;
        return due || urgent ? Optional.of(log(pace)) : Optional.empty();
    }

    /** Returns the last report of every executor whose last report is not logged yet. */
    List<ShuffleReported> rest() {
        return paces.values().stream()
                .filter(pace -> !pace.lastIsLogged)
                .map(ReportLog::log)
                .toList();
    }

    private static ShuffleReported log(Pace pace) {
        ExecutorReport report = pace.last.report();
        ExecutorReport whole = new ExecutorReport(
                report.executor(),
                report.host(),
                report.traffic().withStages(List.copyOf(pace.waitingStages.values())),
                report.agent(),
                report.blocks());
        pace.waitingStages.clear();
        pace.lastMillis = pace.last.timeMillis();
        pace.lastIsLogged = true;
        if (++pace.reports % REPORTS_PER_INTERVAL == 0) {
            pace.intervalMillis *= 2;
        }
        return new ShuffleReported(pace.last.timeMillis(), whole);
    }
}
