package io.boltshuffle.proof.bench.blocks;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.conf.Options;
import io.boltshuffle.proof.bench.blocks.inspark.BlocksSample;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs the same application with stock Spark and with {@code spark.boltshuffle.blocks=all} by turns. */
public final class BlocksBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JoinedCluster cluster;
    private final Optional<HeldNetwork> network;
    private final BlocksScale scale;
    private final Map<String, String> ofPlugin;
    private final MachineState before = MachineState.now();
    private final Map<ShuffleVariant, List<BlocksSample>> samples = new EnumMap<>(ShuffleVariant.class);

    /**
     * @param cluster of two hosts
     * @param network what the cluster's network and cables are held to; empty for the loopback network
     * @param ofPlugin settings of the plugin for the applications
     */
    public BlocksBenchmark(
            JoinedCluster cluster, Optional<HeldNetwork> network, BlocksScale scale, Map<String, String> ofPlugin) {
        this.cluster = cluster;
        this.network = network;
        this.scale = scale;
        this.ofPlugin = ofPlugin;
        for (ShuffleVariant variant : ShuffleVariant.values()) {
            samples.put(variant, new CopyOnWriteArrayList<>());
        }
    }

    public Report run() {
        for (int round = 0; round < scale.rounds(); round++) {
            for (ShuffleVariant variant : ShuffleVariant.inRound(round)) {
                cluster.run().console().line("round " + (round + 1) + " of " + scale.rounds() + ", " + variant.label());
                samplesOf(variant).addAll(measure(variant, round));
            }
        }
        return report();
    }

    /** Returns what both have measured, as far as applications have ended. Any thread may ask while others run. */
    public Optional<Report> soFar() {
        return points().isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private Report report() {
        return new BlocksResults(
                        cluster.run().runtime().release(),
                        cluster.cabling().kind(),
                        network,
                        before,
                        MachineState.now(),
                        points())
                .report();
    }

    private List<BlocksPoint> points() {
        return BlocksPoint.of(samplesOf(ShuffleVariant.STOCK), samplesOf(ShuffleVariant.BOLTSHUFFLE));
    }

    private List<BlocksSample> samplesOf(ShuffleVariant variant) {
        return samples.getOrDefault(variant, List.of());
    }

    private List<BlocksSample> measure(ShuffleVariant variant, int round) {
        String name = "blocks-" + variant.label() + "-" + round;
        Path directory = cluster.run().directory().directory("bench/" + name);
        Path plan = directory.resolve("plan.json");
        Path results = directory.resolve("results.json");
        try {
            JSON.writeValue(
                    plan.toFile(),
                    scale.plan(
                            variant == ShuffleVariant.BOLTSHUFFLE,
                            cluster.agents().processIds()));
            JobRunner.of(cluster.run())
                    .runOn(
                            cluster.spark(),
                            new JobSpec(
                                    name,
                                    "io.boltshuffle.proof.bench.blocks.inspark.BlocksBench",
                                    List.of(plan.toString(), results.toString()),
                                    settings(variant)));
            return JSON.readValue(results.toFile(), new TypeReference<List<BlocksSample>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> settings(ShuffleVariant variant) {
        Map<String, String> settings = new HashMap<>(variant.settings(
                cluster.run().runtime().line(), cluster.run().installation().pluginJar()));
        if (variant == ShuffleVariant.BOLTSHUFFLE) {
            settings.putAll(cluster.agents().settings());
            settings.putAll(ofPlugin);
            settings.put(Options.BLOCKS.key(), "all");
        }
        // The driver is on a host with a cable, as on a small cluster of Macs.
        String driver = cluster.spark().hosts().get(1);
        settings.put("spark.driver.host", driver);
        settings.put("spark.driver.bindAddress", driver);
        settings.put("spark.driver.memory", "2g");
        settings.put("spark.driver.maxResultSize", "2g");
        // The program reports its progress itself.
        settings.put("spark.extraListeners", "");
        settings.put("spark.ui.enabled", "false");
        return settings;
    }
}
