package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.ApplicationSums;
import io.boltshuffle.cli.savings.log.StageSums;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * The rules of the estimate.
 *
 * <p>Of the wait for blocks, the network explains as much as its bytes take on the wire, at least once for each host
 * (one task waits at a time) and at most once for each task that a host runs at a time. On the cable that part shrinks
 * as the cable is faster. The rest of the wait has other causes: the low estimate leaves it, the high one takes what
 * was measured at best. Of the time of the writer goes the part that was measured with it, and for each temporary file
 * and each row of SQL what tasks were measured to take less.
 *
 * @param network that the applications ran on
 * @param cable that blocks would take
 */
public record SavingsModel(Network network, Network cable) {
    /** Tasks waited 1.6 % of their time in place of 15.8 %; what that leaves of a wait with other causes. */
    private static final double REST_OF_OTHER_WAIT = 0.1;

    /** A stage that is shorter says nothing about the network, because its times are rounded to milliseconds. */
    private static final long LEAST_MILLIS = 100;

    public ApplicationEstimate estimate(ApplicationSums application) {
        Network seen = network.atLeast(seenBytesPerSecond(application));
        PluginReach reach = PluginReach.of(application);
        List<String> notes = new ArrayList<>(reach.reasons());
        if (seen.bytesPerSecond() > network.bytesPerSecond()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "a stage received %.1f Gbit/s in each host, which is more than %s carries: the network was faster,"
                            + " and is taken for that fast",
                    seen.bytesPerSecond() * 8 / 1e9,
                    network.name()));
        }
        if (application.slots().isEmpty()) {
            notes.add("the log names no executor, so nothing is said about the time of the job");
        }
        List<StageEstimate> stages = application.stages().stream()
                .map(stage -> estimate(stage, application, reach, seen))
                .toList();
        return new ApplicationEstimate(application, reach.stock(), seen, stages, notes);
    }

    /** Returns the same for the case that the application ran on another network, and all else is as it was. */
    public ApplicationEstimate estimateOn(Network other, ApplicationEstimate taken) {
        ApplicationSums application = taken.application();
        PluginReach reach = PluginReach.of(application);
        List<StageEstimate> stages = application.stages().stream()
                .map(stage -> {
                    double more = other.seconds(stage.read().remoteBytes())
                            - taken.network().seconds(stage.read().remoteBytes());
                    int atOnce = tasksPerHost(stage, application);
                    double wait = stage.read().waitMillis() / 1e3;
                    Range waits = new Range(
                            Math.max(0, wait + more * (more > 0 ? 1 : atOnce)),
                            Math.max(0, wait + more * (more > 0 ? atOnce : 1)));
                    double stageSeconds = stage.wallMillis() / 1e3 + Math.max(0, more);
                    return estimate(stage, application, reach, other, waits, stageSeconds);
                })
                .toList();
        return new ApplicationEstimate(application, reach.stock(), other, stages, List.of());
    }

    /** Returns what the estimates rest on, one line each. */
    public List<String> assumptions(List<ApplicationEstimate> estimates) {
        List<String> assumptions = new ArrayList<>();
        assumptions.add("network: " + network.name() + ", " + network.source());
        assumptions.add("cable: " + cable.name() + ", " + cable.source() + "; the plugin has not run on hardware yet");
        if (uses(estimates, StageEstimate::fetchSeconds)) {
            assumptions.add(
                    "wait for blocks: the network explains what their bytes take on the wire, once for each host (low)"
                            + " or once for each task that a host runs at a time (high); the cable shortens that part"
                            + " as it is faster");
            assumptions.add(
                    "the rest of the wait stays (low), or a tenth of it does (high): 1.6 % of the tasks' time in place"
                            + " of 15.8 %, over virtual cables");
        }
        if (uses(estimates, StageEstimate::writeSeconds)) {
            Set<WriteGain> gains = EnumSet.noneOf(WriteGain.class);
            estimates.forEach(each -> each.stages().stream()
                    .filter(stage -> stage.writeSeconds().high() > 0)
                    .forEach(stage -> gains.add(gain(stage.stage(), PluginReach.of(each.application())))));
            gains.forEach(gain -> assumptions.add(String.format(
                    Locale.ROOT,
                    "written time, of which %.0f to %.0f %% are saved: %s",
                    gain.share().low() * 100,
                    gain.share().high() * 100,
                    gain.reason())));
            assumptions.add("those ratios are of whole jobs, from docs/performance.md, measured on one machine with 2"
                    + " cores; here they are taken for the time of writing alone");
        }
        if (uses(estimates, StageEstimate::fileSeconds)) {
            assumptions.add(String.format(
                    Locale.ROOT,
                    "temporary files of the bypass writer: each takes %.2f (low) to %.2f (high) milliseconds of a task"
                            + " besides, which the logs do not show",
                    UnseenGain.TEMPORARY_FILE.seconds().low() * 1e3,
                    UnseenGain.TEMPORARY_FILE.seconds().high() * 1e3));
        }
        if (uses(estimates, StageEstimate::rowSeconds)) {
            assumptions.add(String.format(
                    Locale.ROOT,
                    "rows of SQL: encoding and copying one takes %.2f (low) to %.2f (high) microseconds of a task less,"
                            + " which the logs do not show: 0.17 in TPC-DS at scale 1, less in other jobs",
                    UnseenGain.ROW.seconds().low() * 1e6,
                    UnseenGain.ROW.seconds().high() * 1e6));
        }
        if (uses(estimates, StageEstimate::jobSeconds)) {
            assumptions.add(
                    "time of the job: what tasks save, divided by all cores of the application (low), or by the cores"
                            + " that the stage's tasks can use (high), and never more than the stage took");
        }
        return assumptions;
    }

    private static boolean uses(List<ApplicationEstimate> estimates, Function<StageEstimate, Range> part) {
        return estimates.stream()
                .flatMap(each -> each.stages().stream())
                .anyMatch(stage -> part.apply(stage).high() > 0);
    }

    private static WriteGain gain(StageSums stage, PluginReach reach) {
        return reach.writes() ? WriteGain.of(stage, reach.codec()) : WriteGain.LEFT_TO_SPARK;
    }

    private StageEstimate estimate(StageSums stage, ApplicationSums application, PluginReach reach, Network on) {
        double wait = stage.read().waitMillis() / 1e3;
        return estimate(stage, application, reach, on, new Range(wait, wait), stage.wallMillis() / 1e3);
    }

    /** @param mostSeconds that the stage may be shortened by: what it takes on that network */
    private StageEstimate estimate(
            StageSums stage,
            ApplicationSums application,
            PluginReach reach,
            Network on,
            Range waits,
            double mostSeconds) {
        Range fetch = reach.fetches() && stage.read().remoteBytes() > 0
                ? fetchSeconds(stage, tasksPerHost(stage, application), on, waits)
                : Range.NONE;
        double written = stage.write().nanos() / 1e9;
        WriteGain gain = gain(stage, reach);
        Range write =
                new Range(written * gain.share().low(), written * gain.share().high());
        Range files = UnseenGain.TEMPORARY_FILE.of(stage, gain);
        Range rows = UnseenGain.ROW.of(stage, gain);
        Range job = jobSeconds(stage, application, fetch.plus(write).plus(files).plus(rows))
                .atMost(mostSeconds);
        return new StageEstimate(stage, fetch, write, files, rows, job);
    }

    private Range fetchSeconds(StageSums stage, int tasksPerHost, Network on, Range waits) {
        double wire = on.seconds(stage.read().remoteBytes());
        double gone = Math.max(0, 1 - on.bytesPerSecond() / cable.bytesPerSecond());
        double explained = Math.min(waits.high(), wire * tasksPerHost);
        double high = explained * gone + (waits.high() - explained) * (1 - REST_OF_OTHER_WAIT);
        // The high estimate of the rest is below what a cable takes from the network's part if the cable is very fast.
        double low = Math.min(high, Math.min(waits.low(), wire) * gone);
        return new Range(low, high);
    }

    private static Range jobSeconds(StageSums stage, ApplicationSums application, Range taskSeconds) {
        if (application.slots().isEmpty()) {
            return Range.NONE;
        }
        return new Range(
                taskSeconds.low() / application.slots().getAsInt(),
                taskSeconds.high() / tasksAtOnce(stage, application));
    }

    private static int tasksPerHost(StageSums stage, ApplicationSums application) {
        int hosts = Math.max(1, application.hosts());
        return Math.max(1, (tasksAtOnce(stage, application) + hosts - 1) / hosts);
    }

    private static int tasksAtOnce(StageSums stage, ApplicationSums application) {
        return (int) Math.max(
                1, Math.min(application.slots().orElse(1), stage.tasks().ended()));
    }

    private static double seenBytesPerSecond(ApplicationSums application) {
        return application.stages().stream()
                .filter(stage -> stage.wallMillis() >= LEAST_MILLIS)
                .mapToDouble(stage ->
                        stage.read().remoteBytes() / (stage.wallMillis() / 1e3) / Math.max(1, application.hosts()))
                .max()
                .orElse(0);
    }
}
