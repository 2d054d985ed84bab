package io.boltshuffle.proof.bench.fetch;

import io.boltshuffle.bench.CpuNanos;
import io.boltshuffle.bench.FetchRoute;
import io.boltshuffle.bench.FetchSample;
import io.boltshuffle.bench.LatencyNanos;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.network.HostPath;
import io.boltshuffle.proof.bench.report.MachineState;
import java.util.List;

/** A report of one point, for tests of what is made from reports. */
public final class ExampleFetchReport {
    private static final long GIGABYTE = 1_000_000_000;

    private ExampleFetchReport() {}

    /** Returns a report of blocks of 1 MiB, in which boltshuffle is twice as fast for a fifth of Netty's CPU. */
    public static FetchReport of(MachineState machine) {
        List<FetchPoint> points = FetchPoint.of(
                new FetchSetup(CableKind.READ, HostPath.VETH_1500, Baseline.NIO),
                List.of(
                        sample(FetchRoute.NETTY, 2, new CpuNanos(GIGABYTE, 0, 0)),
                        sample(FetchRoute.BOLTSHUFFLE, 1, new CpuNanos(GIGABYTE / 10, GIGABYTE / 10, GIGABYTE))));
        return new FetchReport("4.2.0", machine, machine, points, List.of(), List.of("veth-9000: no"));
    }

    private static FetchSample sample(FetchRoute route, int seconds, CpuNanos cpu) {
        return new FetchSample(
                route,
                1 << 20,
                4,
                0,
                GIGABYTE,
                route == FetchRoute.NETTY ? 0 : GIGABYTE,
                1_000,
                100,
                seconds * GIGABYTE,
                new LatencyNanos(1_000_000, 2_000_000, 3_000_000),
                cpu,
                5_000_000);
    }
}
