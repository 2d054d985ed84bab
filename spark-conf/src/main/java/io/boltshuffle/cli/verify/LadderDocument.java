package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.MachineFacts;
import io.boltshuffle.rdma.link.verify.LadderReport;
import io.boltshuffle.rdma.link.verify.Latency;
import io.boltshuffle.rdma.link.verify.RungResult;
import io.boltshuffle.rdma.link.verify.StreamCost;
import io.boltshuffle.rdma.link.verify.StreamSpeed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ladder's report in JSON, with the build and the machine. Units are microseconds, GB/s, CPU seconds per GB. */
public record LadderDocument(
        BuildFacts build,
        MachineFacts machine,
        boolean works,
        List<RungResult> rungs,
        @Nullable Latency latencyMicros,
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
