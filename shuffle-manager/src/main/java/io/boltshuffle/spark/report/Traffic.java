package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;

/**
 * What one executor fetched so far. Everything but latency only grows.
 *
 * @param rdmaBytes that arrived by RDMA
 * @param nettyBytes that arrived by Netty, by the reason for which they did
 * @param latency of fetches, by transport
 * @param stages the stages that fetched last, at most {@value #MAX_STAGES}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Traffic(
        long rdmaBytes, Map<String, Long> nettyBytes, Map<String, Latency> latency, List<StageTraffic> stages) {

    /** Bounds a report. */
    public static final int MAX_STAGES = 32;

    public static final Traffic NONE = new Traffic(0, Map.of(), Map.of(), List.of());

    public Traffic {
        nettyBytes = Map.copyOf(nettyBytes);
        latency = Map.copyOf(latency);
        stages = List.copyOf(stages);
    }

    /** The same counts with other stages. */
    public Traffic withStages(List<StageTraffic> others) {
        return new Traffic(rdmaBytes, nettyBytes, latency, others);
    }
}
