package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.cluster.JobOutcome;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.examples.ProgressLine.StageDone;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Reads the same shuffle alternately under stock Spark and under the plugin. */
public final class PassthroughBench {
    /** The reads in each application. The first warms up and does not count. */
    private static final int READS = 4;

    private final VirtualCluster cluster;
    private final JobRunner jobs;
    private final Installation installation;
    private final Console console;

    public PassthroughBench(VirtualCluster cluster, JobRunner jobs, Installation installation, Console console) {
        this.cluster = cluster;
        this.jobs = jobs;
        this.installation = installation;
        this.console = console;
    }

    public PassthroughReport run(long sizeBytes, int rounds) {
        Map<ShuffleVariant, List<StageDone>> reads = new EnumMap<>(ShuffleVariant.class);
        for (int round = 0; round < rounds; round++) {
            for (ShuffleVariant variant : ShuffleVariant.inRound(round)) {
                console.line("round " + (round + 1) + " of " + rounds + ": " + variant.label());
                reads.computeIfAbsent(variant, any -> new ArrayList<>()).addAll(measure(variant, sizeBytes, round));
            }
        }
        List<StageDone> stock = reads.getOrDefault(ShuffleVariant.STOCK, List.of());
        List<StageDone> plugin = reads.getOrDefault(ShuffleVariant.BOLTSHUFFLE, List.of());
        return new PassthroughReport(
                cluster.runtime().release(),
                sizeBytes,
                samples(stock, StageDone::wallMillis),
                samples(plugin, StageDone::wallMillis),
                samples(stock, PassthroughBench::mibPerSecond),
                samples(plugin, PassthroughBench::mibPerSecond));
    }

    private List<StageDone> measure(ShuffleVariant variant, long sizeBytes, int round) {
        int partitions = cluster.spec().cores() * 2;
        JobOutcome outcome = jobs.runOn(
                cluster,
                JobSpec.example(
                        "shuffle-read-" + variant.label() + "-" + round,
                        "ShuffleRead",
                        List.of(Long.toString(sizeBytes), Integer.toString(partitions), Integer.toString(READS)),
                        variant.settings(cluster.runtime().line(), installation.pluginJar())));
        List<StageDone> reads = outcome.stages().stream()
                .filter(stage -> stage.remoteBytes() > 0)
                .toList();
        if (reads.size() != READS) {
            throw BoltException.failed(
                    READS + " reads over the network were expected, and " + reads.size() + " were seen");
        }
        return reads.subList(1, READS);
    }

    private static Samples samples(List<StageDone> stages, ToDoubleFunction<StageDone> quantity) {
        return Samples.of(stages.stream().map(quantity::applyAsDouble).toList());
    }

    private static double mibPerSecond(StageDone stage) {
        return stage.remoteBytes() / (double) (1 << 20) / (Math.max(1, stage.wallMillis()) / 1e3);
    }
}
