package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.StageBenchPlan;
import io.boltshuffle.bench.StageOperation;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.cluster.JoinedCluster;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.SparkRelease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs each operation on each cut, alternately with both shuffles. */
public final class StageBenchmark {
    private final JoinedCluster cluster;
    private final Optional<HeldNetwork> network;
    private final StageScale scale;
    private final MachineState before = MachineState.now();
    private final List<Measured> measured = new CopyOnWriteArrayList<>();

    /**
     * Creates the benchmark.
     *
     * @param network what the cluster's network and cables are held to; empty for the loopback network
     */
    public StageBenchmark(JoinedCluster cluster, Optional<HeldNetwork> network, StageScale scale) {
        this.cluster = cluster;
        this.network = network;
        this.scale = scale;
    }

    public ComparisonReport run() {
        Clusters clusters = Clusters.start(cluster, scale.contenders(), scale.diskBytes());
        for (StageOperation operation : scale.operations()) {
            for (Cut cut : scale.cuts()) {
                for (int round = 0; round < scale.rounds(); round++) {
                    for (Contender contender : Contender.inRound(round, scale.contenders())) {
                        measured.addAll(measure(operation, cut, contender, round, clusters.of(contender)));
                    }
                }
            }
        }
        return report();
    }

    /** Returns what the applications that have ended measured. Any thread may ask while others run. */
    public Optional<ComparisonReport> soFar() {
        return measured.isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private ComparisonReport report() {
        return ComparisonReport.of("bench stage", circumstances(), network, Aim.WAIT_HALVED, before, measured);
    }

    private List<Measured> measure(
            StageOperation operation, Cut cut, Contender contender, int round, JoinedCluster where) {
        String title = operation.label() + " " + cut;
        Console console = cluster.run().console();
        console.line(title + ", round " + (round + 1) + " of " + scale.rounds() + ": " + contender.title());
        StageBenchPlan plan = new StageBenchPlan(
                operation,
                cut.maps(),
                cut.reducers(),
                scale.bytes(),
                scale.reads(),
                cluster.agents().processIds());
        return new Application(
                        "stage-" + operation.label() + "-" + cut + "-" + contender.label() + "-" + round,
                        "StageBench",
                        plan,
                        Map.of())
                .run(where, contender, read -> title);
    }

    private String circumstances() {
        return SparkRelease.described(cluster.run().runtime().release()) + ", "
                + cluster.spark().spec().hosts() + " hosts, "
                + cluster.cabling().label() + " cables, "
                + ByteFigures.bytes(scale.bytes()) + " in each shuffle, " + scale.rounds() + " rounds of "
                + scale.reads()
                + " reads each";
    }
}
