package io.boltshuffle.spark.ui;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.FetchLatency;
import io.boltshuffle.spark.report.ReportedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everything that the tab shows, at one moment. The history server keeps it in its JSON form.
 *
 * @param timeMillis the moment; 0 if it was not recorded
 * @param nettyBytes by the reason why they did not go by RDMA
 * @param samples oldest first
 * @param stages newest first
 * @param events newest first
 * @param blocks that executors and the driver fetched from the memory of each other, a row for each class
 * @param notices what a user has to know besides; the history server has none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Picture(
        long timeMillis,
        long rdmaBytes,
        Map<String, Long> nettyBytes,
        List<Host> hosts,
        List<Cable> cables,
        List<Sample> samples,
        List<ExecutorLatency> latency,
        List<Stage> stages,
        List<LinkEvent> events,
        List<Writer> writers,
        List<BlockTraffic> blocks,
        List<Notice> notices) {

    Picture { // pictures of older releases have none of these
        writers = writers == null ? List.of() : List.copyOf(writers);
        blocks = blocks == null ? List.of() : List.copyOf(blocks);
        notices = notices == null ? List.of() : List.copyOf(notices);
    }

    /**
     * @param rdmaBytes the bytes that its executors received by RDMA, {@code nettyBytes} likewise
     * @param copiedOutBytes the part of {@code rdmaBytes} that was copied to the heap because the agent was short of
     * memory
     * @param forgottenBlocks the blocks that its executors dropped without a release
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
     * A cable. Its traffic is that of both directions, by all applications, since this one began.
     *
     * @param peakPerSecond the most between two samples of the chart
     * @param state {@code UP} if both ends that are known say so
     * @param stripeMicros how long a stripe of a pull took recently, at the end where it took longer
     * @param damaged how many links over it a wrong checksum took down
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

        /** Returns the names of both its ends. */
        String name() {
            return one.host() + " " + one.port() + " – " + other.host() + " " + other.port();
        }

        Cable withPeak(double bytesPerSecond) {
            return new Cable(
                    one, other, state, detail, bytes, this.bytesPerSecond, bytesPerSecond, stripeMicros, damaged);
        }
    }

    /**
     * The counts of all executors together at one time.
     *
     * @param cableBytes what went over each cable, by {@link Cable#name}
     */
    record Sample(long timeMillis, long rdmaBytes, Map<String, Long> nettyBytes, Map<String, Long> cableBytes) {
        /** Counts that are closer than this make no rate of their own, which would be noise. */
        private static final long SHORTEST_MILLIS = 1_000;

        Sample {
            nettyBytes = Map.copyOf(nettyBytes);
            cableBytes = cableBytes == null ? Map.of() : Map.copyOf(cableBytes); // pictures of older releases have none
        }

        /** Returns the rate per second that a growth since the previous sample makes. */
        double rateSince(Sample before, long growth) {
            return Math.max(0, growth) * 1_000.0 / Math.max(SHORTEST_MILLIS, timeMillis - before.timeMillis);
        }

        double cableRateSince(Sample before, String cable) {
            long then = before.cableBytes.getOrDefault(cable, 0L);
            return rateSince(before, cableBytes.getOrDefault(cable, then) - then);
        }
    }

    record ExecutorLatency(String executor, String host, String transport, FetchLatency latency) {}

    /**
     * @param localBytes read without the network
     * @param fetchWaitMillis the time that its tasks waited for blocks
     * @param runMillis the time that its tasks ran
     * @param gcMillis the part in which collectors stopped them: each pause counts once for each task that ran
     */
    record Stage(
            int stage,
            int attempt,
            String name,
            long rdmaBytes,
            long nettyBytes,
            long localBytes,
            long fetchWaitMillis,
            long runMillis,
            long gcMillis,
            Writes writes) {

        Stage {
            writes = writes == null ? Writes.NONE : writes; // pictures of older releases have none
        }

        boolean hasRead() {
            return rdmaBytes + nettyBytes + localBytes > 0;
        }
    }

    /**
     * The map outputs that a stage's tasks wrote.
     *
     * @param bytes by whichever writer
     * @param fileMillis that its tasks spent with files
     * @param ourBytes of {@code bytes}, by our writer
     * @param ourTasks that wrote by our writer
     * @param sparkTasks that wrote by Spark's, by the reason why they did
     */
    record Writes(
            long bytes, long fileMillis, long ourBytes, long ourTasks, long spills, Map<String, Long> sparkTasks) {
        static final Writes NONE = new Writes(0, 0, 0, 0, 0, Map.of());

        Writes {
            sparkTasks = new TreeMap<>(sparkTasks);
        }
    }

    /** Limits that executors of a host have for our writer. */
    record Writer(String host, int partitions, int bufferBytes) {}

    /** An event of a cable's end or, if {@code port} is empty, of an agent. */
    record LinkEvent(long timeMillis, String host, String port, String peer, String state, String detail) {}

    long allNettyBytes() {
        return nettyBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * A host without an agent, or two hosts that know each other and that no cable joins.
     *
     * @param otherHost empty if the host has no agent
     * @param detail what the host's agent says about it, or why it says nothing
     */
    record Apart(String host, String otherHost, String state, String detail) {}

    List<Apart> apart() {
        List<Apart> apart = new ArrayList<>();
        for (Host host : hosts) {
            if (!host.agent().answered()) {
                apart.add(new Apart(host.name(), "", "NO_AGENT", host.agent().problem()));
            }
            for (ReportedPeer peer : host.agent().peers()) {
                // One that no fetch asked for, such as the driver's host, has nothing to say.
                if (!peer.detail().isEmpty() && !hasCable(host.name(), peer.host())) {
                    apart.add(new Apart(host.name(), peer.host(), peer.state(), peer.detail()));
                }
            }
        }
        return apart;
    }

    private boolean hasCable(String host, String other) {
        Set<String> wanted = Set.of(host, other.equals(host) ? "" : other);
        return cables.stream()
                .anyMatch(cable -> wanted.contains(cable.one().host())
                        && wanted.contains(cable.other().host()));
    }
}
