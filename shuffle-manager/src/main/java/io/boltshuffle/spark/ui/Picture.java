package io.boltshuffle.spark.ui;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.Latency;
import java.util.List;
import java.util.Map;

/**
 * All that the tab shows, at one moment. Has a JSON form, in which the history server keeps it.
 *
 * @param nettyBytes by the reason why they did not go by RDMA
 * @param samples oldest first
 * @param stages newest first
 * @param events newest first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Picture(
        long rdmaBytes,
        Map<String, Long> nettyBytes,
        List<Host> hosts,
        List<Cable> cables,
        List<Sample> samples,
        List<ExecutorLatency> latency,
        List<Stage> stages,
        List<LinkEvent> events) {

    /**
     * @param rdmaBytes that its executors received by RDMA, {@code nettyBytes} likewise
     * @param copiedOutBytes of those by RDMA, copied to the heap because the agent was short of memory
     * @param forgottenBlocks that its executors dropped without a release
     */
    record Host(
            String name,
            int executors,
            long rdmaBytes,
            long nettyBytes,
            double rdmaBytesPerSecond,
            double nettyBytesPerSecond,
            long copiedOutBytes,
            long forgottenBlocks,
            AgentState agent) {}

    /** A host and its port. */
    record End(String host, String port) {}

    /**
     * A cable; its traffic is that of both directions, by all applications, since this one began.
     *
     * @param state {@code UP} if both ends that are known say so
     * @param stripeMicros how long a stripe of a pull took of late, at the end where it took longer
     * @param damaged links over it that a wrong checksum took down
     */
    record Cable(
            End one,
            End other,
            String state,
            String detail,
            long bytes,
            double bytesPerSecond,
            double peakPerSecond,
            long stripeMicros,
            long damaged) {
        boolean isUp() {
            return state.equals("UP");
        }
    }

    /** Counts at one time, of all executors together. */
    record Sample(long timeMillis, long rdmaBytes, Map<String, Long> nettyBytes) {}

    record ExecutorLatency(String executor, String host, String transport, Latency latency) {}

    /**
     * @param localBytes read without the network
     * @param fetchWaitMillis that its tasks waited for blocks
     * @param runMillis that its tasks ran
     */
    record Stage(
            int stage,
            int attempt,
            String name,
            long rdmaBytes,
            long nettyBytes,
            long localBytes,
            long fetchWaitMillis,
            long runMillis) {}

    /** Something happened to a cable's end, or to an agent; {@code port} is empty then. */
    record LinkEvent(long timeMillis, String host, String port, String peer, String state, String detail) {}

    long allNettyBytes() {
        return nettyBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    static Picture empty() {
        return new Picture(0, Map.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    }
}
