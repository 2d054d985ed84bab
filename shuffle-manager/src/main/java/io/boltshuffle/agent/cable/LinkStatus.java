package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkReport;
import org.jspecify.annotations.Nullable;

/**
 * A link to a peer, for the status.
 *
 * @param near this host's device and port
 * @param far the peer's
 * @param state what it does
 * @param detail why it is down, or what it was calibrated to
 * @param calibration null until it is up
 * @param pace how fast it is; null until it is built
 */
public record LinkStatus(
        int id,
        String near,
        String far,
        String state,
        String detail,
        @Nullable Calibration calibration,
        @Nullable LinkCounters counters,
        @Nullable Pace pace) {

    /**
     * The speed of a link, now and so far.
     *
     * @param fetchedGigabytesPerSecond over about the last second, {@code servedGigabytesPerSecond} likewise, but 0 in
     *     read mode, where the server does not see what is read
     * @param stripes parts of pulls that were fetched over it
     * @param meanStripeMicros from asking the link to every byte verified
     * @param recentStripeMicros the same for the last second that had any
     */
    public record Pace(
            double fetchedGigabytesPerSecond,
            double servedGigabytesPerSecond,
            long stripes,
            long meanStripeMicros,
            long recentStripeMicros,
            long longestStripeMicros) {}

    /**
     * The values that the link found best for this side's fetches.
     *
     * @param gigabytesPerSecond as measured when the link came up, with checksums
     */
    public record Calibration(String mode, int messageBytes, int windowBytes, double gigabytesPerSecond) {

        static Calibration of(LinkReport report) {
            return new Calibration(
                    report.mode().name(),
                    report.receiving().messageBytes(),
                    report.receiving().windowBytes(),
                    report.calibration().stream()
                            .filter(result -> result.candidate().equals(report.receiving()))
                            .mapToDouble(CalibrationResult::gigabytesPerSecond)
                            .max()
                            .orElse(0));
        }
    }
}
