package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Objects;

/**
 * One end of a cable, as its agent sees it.
 *
 * @param peer the host at the other end
 * @param near device and port here
 * @param far device and port there
 * @param state in the agent's words; {@code UP} is the good one
 * @param detail why the link is down, or what it was calibrated to
 * @param fetchedBytes fetched over it by all applications since it came up
 * @param stripeMicros how long a stripe of a pull took recently
 * @param damaged how many links over this cable a wrong checksum took down since the agent began
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReportedLink(
        String peer,
        String near,
        String far,
        String state,
        String detail,
        long fetchedBytes,
        long stripeMicros,
        long damaged) {

    public ReportedLink {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(near, "near");
        Objects.requireNonNull(far, "far");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(detail, "detail");
    }
}
