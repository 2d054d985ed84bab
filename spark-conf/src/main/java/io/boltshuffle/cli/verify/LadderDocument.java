package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.MachineFacts;
import io.boltshuffle.cli.verify.ladder.LadderReport;
import io.boltshuffle.cli.verify.ladder.RoundTrips;
import io.boltshuffle.cli.verify.ladder.Rung;
import io.boltshuffle.cli.verify.ladder.StreamCost;
import io.boltshuffle.cli.verify.ladder.StreamSpeed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ladder's report in JSON, with the build and the machine. Units are microseconds, GB/s, CPU seconds per GB. */
public record LadderDocument(
        BuildFacts build,
        MachineFacts machine,
        boolean works,
        List<Rung.Result> rungs,
        @Nullable RoundTrips latencyMicros,
        List<StreamSpeed> calibration,
        @Nullable StreamSpeed stream,
        @Nullable StreamCost cpuSecondsPerGigabyte) {

    public LadderDocument {
        rungs = List.copyOf(rungs);
        calibration = List.copyOf(calibration);
    }

    static LadderDocument of(LadderReport report) {
        return new LadderDocument(
                BuildFacts.current(),
                MachineFacts.current(),
                report.reachedTheTop(),
                report.rungs(),
                report.latency(),
                report.calibration(),
                report.stream(),
                report.cost());
    }
}
