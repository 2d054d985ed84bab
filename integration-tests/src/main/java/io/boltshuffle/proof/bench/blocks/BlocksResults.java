package io.boltshuffle.proof.bench.blocks;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.proof.bench.blocks.inspark.BlocksSample;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.Columns;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Quantity;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The results of {@code bolt bench blocks}. They have no faults: the figures of another machine differ, and the reader
 * judges.
 *
 * @param network what the network between the hosts, and the cables, were held to; empty for the loopback network
 */
record BlocksResults(
        String spark,
        CableKind cables,
        Optional<HeldNetwork> network,
        MachineState before,
        MachineState after,
        List<BlocksPoint> points) {
    private static final String EXPLANATION =
            "Medians. A task of one host reads a broadcast of the driver, which runs on the other, and partitions that"
                    + " are cached there; the driver collects the result of a task. Times contain what Spark makes of"
                    + " the bytes, and for results the whole job. CPU is that of driver, executors and agents; the"
                    + " emulator's, which real cables do not use, is shown apart and not counted, but takes its part of"
                    + " the same cores. heap: how many times the bytes were allocated on the reader's heap.";

    Report report() {
        Report report = new Report("bolt bench blocks")
                .line("Spark " + spark + ", " + cables.label()
                        + " cables, stock and spark.boltshuffle.blocks=all by turns")
                .figure("spark", spark)
                .figure("cables", cables.label());
        HeldNetwork.tell(network, report);
        report.table(columns().table(points))
                .line("")
                .line(EXPLANATION)
                .figure("points", points.stream().map(BlocksPoint::toJson).toList());
        MachineState.tell(before, after, report);
        return report;
    }

    private static Columns<BlocksPoint> columns() {
        Columns<BlocksPoint> columns = new Columns<BlocksPoint>()
                .and("blocks", point -> point.work().label())
                .and("bytes", point -> ByteFigures.bytes(point.bytes()));
        both(columns, "ms", BlocksPoint.MILLIS)
                .andRatio("ratio", BlocksPoint::timeRatio)
                .and("p99 ms", point -> p99(point.boltshuffle()))
                .and("stock", point -> p99(point.stock()));
        both(columns, "CPU s/GB", BlocksPoint.CPU)
                .and("ratio", BlocksResults::cpuRatio)
                .and("emulator", point -> point.boltshuffle().text(BlocksPoint.EMULATOR_CPU));
        return both(columns, "heap", BlocksPoint.HEAP)
                .and("by RDMA", point -> point.boltshuffle().text(BlocksPoint.RDMA_SHARE));
    }

    private static Columns<BlocksPoint> both(
            Columns<BlocksPoint> columns, String title, Quantity<BlocksSample> quantity) {
        return columns.and(title, point -> point.boltshuffle().text(quantity))
                .and("stock", point -> point.stock().text(quantity));
    }

    private static String p99(SampleSet<BlocksSample> figures) {
        return BlocksPoint.MILLIS.text(BlocksPoint.p99Millis(figures));
    }

    private static String cpuRatio(BlocksPoint point) {
        return point.cpuRatio().isPresent()
                ? String.format(Locale.ROOT, "%.2f", point.cpuRatio().getAsDouble())
                : "";
    }
}
