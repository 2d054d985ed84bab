package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.bench.CpuNanos;
import io.boltshuffle.bench.blocks.BlockWork;
import io.boltshuffle.bench.blocks.BlocksSample;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.network.Bandwidth;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import java.util.List;
import java.util.Optional;

/** Reports of blocks between hosts on a network that is held, for tests of what is made from reports. */
public final class ExampleBlocksReport {
    private static final long MILLI = 1_000_000;
    private static final long BYTES = 100_000_000;

    private ExampleBlocksReport() {}

    /** Returns a report of broadcasts of 100 MB, in which boltshuffle takes a quarter of stock's time. */
    public static BlocksReport of(MachineState machine) {
        return of(
                BlocksPoint.of(
                        List.of(sample(BlockWork.BROADCAST, BYTES, 40, 0)),
                        List.of(sample(BlockWork.BROADCAST, BYTES, 10, BYTES))),
                machine);
    }

    static BlocksReport of(List<BlocksPoint> points, MachineState machine) {
        Bandwidth rate = new Bandwidth.Converter().convert("71.4mbit");
        HeldNetwork network = new HeldNetwork(
                "like Macs of 14 cores with 1 GbE and a Thunderbolt 5 cable", rate, Optional.of(rate), 1500, 0.5, "");
        return new BlocksReport("4.2.0", CableKind.SEND, Optional.of(network), machine, machine, points);
    }

    static BlocksSample sample(BlockWork work, long bytes, long millis, long rdmaBytes) {
        return new BlocksSample(
                work, bytes, millis * MILLI, rdmaBytes, new CpuNanos(millis * MILLI, 0, 5 * MILLI), 2 * bytes);
    }
}
