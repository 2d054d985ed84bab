package io.boltshuffle.spark.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;

/**
 * The bytes that one executor fetched and wrote so far. Everything but latency only grows.
 *
 * @param rdmaBytes the bytes that arrived by RDMA
 * @param nettyBytes the bytes that arrived by Netty, by the reason for it
 * @param copiedOutBytes the part of {@code rdmaBytes} that was copied to the heap because the agent was short of memory
 * @param forgottenBlocks blocks by RDMA that were dropped without a release, which is a defect of their reader
 * @param latency of fetches, by transport
 * @param stages the stages that fetched or wrote last, at most {@value #MAX_STAGES}
 * @param writer what its writer takes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Traffic(
        long rdmaBytes,
        Map<String, Long> nettyBytes,
        long copiedOutBytes,
        long forgottenBlocks,
        Map<String, FetchLatency> latency,
        List<StageTraffic> stages,
        WriterLimits writer) {

    /** Bounds a report. */
    public static final int MAX_STAGES = 32;

    public static final Traffic NONE = new Traffic(0, Map.of(), 0, 0, Map.of(), List.of(), WriterLimits.NONE);

    public Traffic {
        nettyBytes = Map.copyOf(nettyBytes);
        latency = Map.copyOf(latency);
        stages = List.copyOf(stages);
        writer = writer == null ? WriterLimits.NONE : writer; // reports of older releases have none
    }

    /** Returns the same counts with other stages. */
    public Traffic withStages(List<StageTraffic> others) {
        return new Traffic(rdmaBytes, nettyBytes, copiedOutBytes, forgottenBlocks, latency, others, writer);
    }
}
