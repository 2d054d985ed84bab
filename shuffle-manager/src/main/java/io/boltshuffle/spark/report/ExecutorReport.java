package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Objects;

/**
 * An executor's report on its shuffles and on the agent of its host.
 *
 * @param executor its id
 * @param host as Spark names it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExecutorReport(String executor, String host, Traffic traffic, AgentState agent) {

    public ExecutorReport {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(traffic, "traffic");
        Objects.requireNonNull(agent, "agent");
    }
}
