package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;

/**
 * An executor's report on its shuffles and on the agent of its host.
 *
 * @param executor its id
 * @param host as Spark names it
 * @param blocks that it fetched from the memory of other processes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExecutorReport(
        String executor, String host, Traffic traffic, AgentState agent, List<BlockTraffic> blocks) {

    public ExecutorReport {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(traffic, "traffic");
        Objects.requireNonNull(agent, "agent");
        blocks = blocks == null ? List.of() : List.copyOf(blocks); // reports of older releases have none
    }
}
