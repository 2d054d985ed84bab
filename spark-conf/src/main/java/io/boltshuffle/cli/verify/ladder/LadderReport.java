package io.boltshuffle.cli.verify.ladder;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a climb: how far it went.
 *
 * @param rungs in order; only the last can have failed
 * @param latency of the ping-pong, the same on both sides, or null if it was not reached
 * @param calibration checked throughput by message size, as this side received it
 * @param stream sustained checked throughput with the best of them, or null if it was not reached
 * @param cost what that stream cost the CPUs, or null if it was not reached
 */
public record LadderReport(
        List<Rung.Result> rungs,
        @Nullable RoundTrips latency,
        List<StreamSpeed> calibration,
        @Nullable StreamSpeed stream,
        @Nullable StreamCost cost) {

    /** True if every rung was passed. */
    public boolean reachedTheTop() {
        return rungs.size() == Rung.values().length
                && rungs.get(rungs.size() - 1).passed();
    }
}
