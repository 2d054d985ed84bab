package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Objects;

/**
 * Another host, as the agent of an executor's host sees it.
 *
 * @param host as Spark names it
 * @param state in the agent's words
 * @param detail why no cable to it carries anything; empty if all is well
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReportedPeer(String host, String state, String detail) {

    public ReportedPeer {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(detail, "detail");
    }
}
