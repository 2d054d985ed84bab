package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.bench.CpuNanos;
import io.boltshuffle.bench.PieceSample;
import io.boltshuffle.bench.StageBenchPlan;
import io.boltshuffle.bench.StageOperation;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.JoinedCluster;
import io.boltshuffle.cli.cluster.ProcessFigures;
import io.boltshuffle.proof.bench.compare.Application;
import io.boltshuffle.proof.bench.compare.Contender;
import io.boltshuffle.proof.bench.compare.Cut;
import io.boltshuffle.proof.bench.compare.Measured;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts one cluster after the other, loads its agents with few blocks and with many, and lets them rest. */
public final class ScaleBenchmark {
    private static final String MEMORY = "512m";

    /** Some time after the last block, agents consider applications ended and close files that were read. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private final ClusterRun run;
    private final ScalePlan plan;
    private final MachineState before = MachineState.now();
    private final List<ScalePoint> points = new CopyOnWriteArrayList<>();

    public ScaleBenchmark(ClusterRun run, ScalePlan plan) {
        this.run = run;
        this.plan = plan;
    }

    public ScaleReport run() {
        for (int hosts : plan.hosts()) {
            for (int cables : plan.cablesPerPair()) {
                run.console().line(hosts + " hosts, " + cables + " cables a pair");
                try (Teardown end = Teardown.hooked()) {
                    // The run's directory is removed only after what writes to it has ended.
                    run.teardown().push(end::close);
                    points.add(measure(
                            JoinedCluster.start(
                                    run.until(end),
                                    ClusterSpec.sharing(hosts, MEMORY),
                                    new Cabling(plan.cables(), cables)),
                            hosts,
                            cables));
                }
            }
        }
        return report();
    }

    /** Returns what has been measured of clusters that have ended. Any thread may ask while others run. */
    public Optional<ScaleReport> soFar() {
        return points.isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private ScaleReport report() {
        return new ScaleReport(run.runtime().release(), plan, before, MachineState.now(), List.copyOf(points));
    }

    private ScalePoint measure(JoinedCluster cluster, int hosts, int cables) {
        List<Long> agents = cluster.agents().processIds();
        ProcessFigures fresh = AgentSampler.now(agents);
        Loaded few = load(cluster, plan.few());
        Loaded many = load(cluster, plan.many());
        pause(SETTLING);
        double share = cpuShare(agents);
        return new ScalePoint(
                hosts,
                cables,
                fresh,
                few.most(),
                many.most(),
                AgentSampler.now(agents),
                share,
                Samples.of(few.reads().stream()
                        .map(Measured::sample)
                        .map(ScaleBenchmark::gigabytesPerSecond)
                        .toList()),
                few.reads().get(0).rdmaShare());
    }

    private record Loaded(ProcessFigures most, List<Measured> reads) {}

    private Loaded load(JoinedCluster cluster, Cut cut) {
        List<Long> agents = cluster.agents().processIds();
        StageBenchPlan stage = new StageBenchPlan(
                StageOperation.REPARTITION, cut.maps(), cut.reducers(), plan.bytes(), plan.reads(), agents);
        String name = "scale-" + agents.size() + "-" + cluster.cabling().cablesPerPair() + "-" + cut;
        try (AgentSampler watch = AgentSampler.start(agents)) {
            List<Measured> reads = new Application(name, "StageBench", stage, Map.of())
                    .run(cluster, Contender.BOLTSHUFFLE, read -> name);
            return new Loaded(watch.most(), reads);
        }
    }

    private static double gigabytesPerSecond(PieceSample sample) {
        return sample.tasks().remoteBytes() / (double) sample.wallNanos();
    }

    /** Returns the share of the agent that uses most. */
    private double cpuShare(List<Long> agents) {
        List<CpuNanos> before = agents.stream().map(ScaleBenchmark::cpu).toList();
        long start = System.nanoTime();
        pause(plan.rest());
        double nanos = System.nanoTime() - start;
        double most = 0;
        for (int agent = 0; agent < agents.size(); agent++) {
            most = Math.max(
                    most, cpu(agents.get(agent)).since(before.get(agent)).agents() / nanos);
        }
        return most;
    }

    private static CpuNanos cpu(long agent) {
        return CpuNanos.now(List.of(), List.of(agent));
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
