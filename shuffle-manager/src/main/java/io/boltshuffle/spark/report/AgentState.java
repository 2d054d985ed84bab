package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;

/**
 * The state of the node agent of an executor's host.
 *
 * @param problem why the state is unknown; empty if the agent answered
 * @param slabBytes its registered memory
 * @param usedBytes the part in use
 * @param pinnedBytes the part that tasks read
 * @param quarantinedBytes the part set aside after a link broke, because a device might still write there
 * @param leakedRegions memory regions that could not be deregistered
 * @param links at most {@value #MAX_LINKS}
 * @param peers the other hosts that it knows, at most {@value #MAX_LINKS}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AgentState(
        String problem,
        long slabBytes,
        long usedBytes,
        long pinnedBytes,
        long quarantinedBytes,
        long leakedRegions,
        List<ReportedLink> links,
        List<ReportedPeer> peers) {

    /** Bounds a report. A Mac has six ports. */
    public static final int MAX_LINKS = 64;

    public AgentState {
        Objects.requireNonNull(problem, "problem");
        links = List.copyOf(links);
        peers = peers == null ? List.of() : List.copyOf(peers); // event logs of older releases have none
    }

    /** Returns the state of an agent that did not answer. */
    public static AgentState unknown(String problem) {
        return new AgentState(problem, 0, 0, 0, 0, 0, List.of(), List.of());
    }

    public boolean answered() {
        return problem.isEmpty();
    }
}
