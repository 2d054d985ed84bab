package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.FetchLatency;
import io.boltshuffle.spark.report.ReportedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Clusters to draw. */
final class SamplePictures {
    private static final long START = 1_790_000_000_000L;
    private static final double GB = 1e9;

    private SamplePictures() {}

    /**
     * A ring and its diagonals of Macs; two cables join the first pair, one cable is down, one host has lost its agent.
     */
    static Picture of(int hosts) {
        List<Picture.Host> boxes = new ArrayList<>();
        List<Picture.Cable> cables = new ArrayList<>();
        List<Picture.ExecutorLatency> latency = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            boolean lost = host == 4;
            boxes.add(new Picture.Host(
                    "mac" + host + ".local",
                    1,
                    21_500_000_000L * host,
                    300_000_000L * host,
                    lost ? 0 : 3.1 * GB,
                    0.02 * GB,
                    5_000_000_000L * host,
                    host == 3 ? 11 : 0,
                    lost
                            ? AgentState.unknown("no answer from an agent at /tmp/<agent>: connection refused")
                            : new AgentState(
                                    "",
                                    4L << 30,
                                    (3L << 30) / host,
                                    1L << 28,
                                    0,
                                    host == 2 ? 7 : 0,
                                    List.of(),
                                    peers(host))));
            latency.add(new Picture.ExecutorLatency(
                    "" + host,
                    "mac" + host + ".local",
                    "rdma",
                    new FetchLatency(18_400, 1_500_000, 1.31, 4.9, 12.25, 180.4)));
            for (int peer = host + 1; peer <= hosts; peer++) {
                cables.add(cable(host, peer, 2, peer == 4 && host == 3));
            }
        }
        if (hosts > 1) {
            cables.add(cable(1, 2, 3, false));
        }
        return new Picture(
                START + 95_000,
                64_000_000_000L,
                Map.of("no_cable", 900_000_000L, "corrupt", 12_000_000L),
                boxes,
                cables,
                samples(),
                latency,
                stages(),
                List.of(new Picture.LinkEvent(
                        START + 40_000, "mac3.local", "rdma_en2:1", "mac4.local", "DOWN", "PEER: <pulled> & gone")),
                List.of(new Picture.Writer("mac1.local", 4_096, 32 << 10)),
                List.of(new BlockTraffic("broadcast", 268_435_456L, 4_194_304L, 63, 41)),
                List.of());
    }

    /** One host is known that no cable leads to. */
    private static List<ReportedPeer> peers(int host) {
        return host == 1
                ? List.of(new ReportedPeer("mac9.local", "NO_CABLE", "no port of <this> host faces one of that host"))
                : List.of();
    }

    private static Picture.Cable cable(int one, int other, int port, boolean down) {
        return new Picture.Cable(
                new Picture.End("mac" + one + ".local", "rdma_en" + port + ":1"),
                new Picture.End("mac" + other + ".local", "rdma_en" + port + ":1"),
                down ? "DOWN" : "UP",
                down
                        ? "the peer's end is gone"
                        : "SEND, fetches in messages of 128.0 KiB, 8.0 MiB at a time; serves in messages of 128.0 KiB",
                9_400_000_000L,
                down ? 0 : (one + other) * 0.55 * GB,
                4.4 * GB,
                1_250,
                down ? 1 : 0);
    }

    private static List<Picture.Sample> samples() {
        List<Picture.Sample> samples = new ArrayList<>();
        long rdma = 0;
        long noCable = 0;
        long corrupt = 0;
        for (int second = 0; second < 90; second++) {
            rdma += (long) (GB * (2.5 + 2 * Math.sin(second / 7.0)));
            noCable += second > 40 && second < 60 ? 900_000_000L : 20_000_000L;
            corrupt += second == 40 ? 700_000_000L : 0;
            samples.add(new Picture.Sample(
                    START + second * 1_000L, rdma, Map.of("no_cable", noCable, "corrupt", corrupt), Map.of()));
        }
        return samples;
    }

    private static List<Picture.Stage> stages() {
        return List.of(
                new Picture.Stage(
                        7,
                        1,
                        "first look at <sales> (query 12)",
                        9_000_000_000L,
                        1_000_000_000L,
                        5_000_000_000L,
                        900,
                        40_000,
                        1_300,
                        new Picture.Writes(
                                4_000_000_000L, 2_100, 3_000_000_000L, 60, 4, Map.of("map_side_combine", 20L))),
                new Picture.Stage(
                        4,
                        0,
                        "parquet at Features.java:61",
                        55_000_000_000L,
                        0,
                        8_000_000_000L,
                        4_200,
                        95_000,
                        0,
                        Picture.Writes.NONE));
    }
}
