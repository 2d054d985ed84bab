package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.ExecutorReport;
import io.boltshuffle.spark.report.FetchLatency;
import io.boltshuffle.spark.report.ReportedLink;
import io.boltshuffle.spark.report.ReportedPeer;
import io.boltshuffle.spark.report.ShuffleReported;
import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.StageWrites;
import io.boltshuffle.spark.report.Traffic;
import io.boltshuffle.spark.report.WriterLimits;
import java.util.List;
import java.util.Map;

/** Reports to feed a history with. */
final class Reports {
    /** The figure of each executor. */
    static final long COPIED_OUT_BYTES = 3_000_000;

    static final long FORGOTTEN_BLOCKS = 13;
    static final long LEAKED_REGIONS = 17;
    /** The writes of each executor in stage 3. */
    static final StageWrites WRITES = new StageWrites(2, 1_000, 5, Map.of("map_side_combine", 3L));

    private Reports() {}

    /**
     * Returns a report of executor 1 on host {@code a}, with one cable to {@code b}; all that it fetched was for stage
     * 3.
     */
    static ShuffleReported fromA(long timeMillis, long rdmaBytes, long nettyBytes, ReportedLink... links) {
        return fromExecutor(timeMillis, "1", "a", rdmaBytes, nettyBytes, links);
    }

    static ShuffleReported fromExecutor(
            long timeMillis, String executor, String host, long rdmaBytes, long nettyBytes, ReportedLink... links) {
        return new ShuffleReported(
                timeMillis,
                new ExecutorReport(
                        executor,
                        host,
                        new Traffic(
                                rdmaBytes,
                                Map.of("no_cable", nettyBytes),
                                COPIED_OUT_BYTES,
                                FORGOTTEN_BLOCKS,
                                Map.of("rdma", new FetchLatency(5, 3 << 20, 1.5, 2, 3, 4)),
                                List.of(new StageTraffic(3, 0, rdmaBytes, nettyBytes, WRITES)),
                                new WriterLimits(4_096, 32 << 10)),
                        new AgentState("", 1 << 30, 1 << 20, 0, 0, LEAKED_REGIONS, List.of(links), List.of()),
                        List.of()));
    }

    /** Returns a report of a process that fetched nothing but blocks in memory. */
    static ShuffleReported ofBlocks(String process, BlockTraffic... blocks) {
        return new ShuffleReported(
                0, new ExecutorReport(process, "a", Traffic.NONE, AgentState.unknown("not asked"), List.of(blocks)));
    }

    /** Returns a report of host {@code a}, whose agent knows {@code b} and has no cable to it. */
    static ShuffleReported withoutCable(String detail) {
        return new ShuffleReported(
                0,
                new ExecutorReport(
                        "1",
                        "a",
                        new Traffic(0, Map.of("no_cable", 500L), 0, 0, Map.of(), List.of(), WriterLimits.NONE),
                        new AgentState(
                                "", 1 << 30, 0, 0, 0, 0, List.of(), List.of(new ReportedPeer("b", "NO_CABLE", detail))),
                        List.of()));
    }

    /** Returns a report of host {@code a}, whose agent did not answer. */
    static ShuffleReported withoutAgent(long timeMillis) {
        return new ShuffleReported(
                timeMillis,
                new ExecutorReport(
                        "1",
                        "a",
                        new Traffic(0, Map.of(), 0, 0, Map.of(), List.of(), WriterLimits.NONE),
                        AgentState.unknown("no answer within 1 s"),
                        List.of()));
    }

    static ReportedLink link(String peer, String near, String far, String state, long bytes) {
        return new ReportedLink(peer, near, far, state, "as calibrated", bytes, 800, 0);
    }
}
