package io.boltshuffle.proof.bench.blocks;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.bench.blocks.BlocksSample;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.JoinedCluster;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.conf.Options;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the same application with stock Spark and with {@code spark.boltshuffle.blocks=all} by turns. */
public final class BlocksBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HOSTS = 2;
    private static final String EXECUTOR_MEMORY = "2048m";

    private final ClusterRun run;
    private final BlocksScale scale;
    private final Map<String, String> ofPlugin;

    /** @param ofPlugin settings of the plugin, for agents and for its applications */
    public BlocksBenchmark(ClusterRun run, BlocksScale scale, Map<String, String> ofPlugin) {
        this.run = run;
        this.scale = scale;
        this.ofPlugin = ofPlugin;
    }

    public BlocksReport run(Cabling cabling) {
        MachineState before = MachineState.now();
        VirtualCluster hosts = run.start(ClusterSpec.sharing(HOSTS, EXECUTOR_MEMORY));
        Map<String, String> ofAgents = new HashMap<>();
        ofAgents.put(Options.AGENT_SLAB.key(), Long.toString(Options.AGENT_SLAB.defaultValue())); // as users have it
        ofAgents.putAll(ofPlugin);
        JoinedCluster cluster = new JoinedCluster(run, hosts, cabling, run.join(hosts, cabling, ofAgents, Map.of()));
        Map<ShuffleVariant, List<BlocksSample>> samples = new EnumMap<>(ShuffleVariant.class);
        for (int round = 0; round < scale.rounds(); round++) {
            for (ShuffleVariant variant : ShuffleVariant.inRound(round)) {
                run.console().line("round " + (round + 1) + " of " + scale.rounds() + ", " + variant.label());
                samples.computeIfAbsent(variant, any -> new ArrayList<>()).addAll(measure(cluster, variant, round));
            }
        }
        return new BlocksReport(
                run.runtime().release(),
                cabling.kind(),
                before,
                MachineState.now(),
                BlocksPoint.of(
                        samples.getOrDefault(ShuffleVariant.STOCK, List.of()),
                        samples.getOrDefault(ShuffleVariant.BOLTSHUFFLE, List.of())));
    }

    private List<BlocksSample> measure(JoinedCluster cluster, ShuffleVariant variant, int round) {
        String name = "blocks-" + variant.label() + "-" + round;
        Path directory = run.directory().directory("bench/" + name);
        Path plan = directory.resolve("plan.json");
        Path results = directory.resolve("results.json");
        try {
            JSON.writeValue(
                    plan.toFile(),
                    scale.plan(
                            variant == ShuffleVariant.BOLTSHUFFLE,
                            cluster.agents().processIds()));
            cluster.run()
                    .jobs()
                    .runOn(
                            cluster.spark(),
                            new JobSpec(
                                    name,
                                    "io.boltshuffle.bench.blocks.BlocksBench",
                                    List.of(plan.toString(), results.toString()),
                                    settings(cluster, variant)));
            return JSON.readValue(results.toFile(), new TypeReference<List<BlocksSample>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> settings(JoinedCluster cluster, ShuffleVariant variant) {
        Map<String, String> settings = new HashMap<>(
                variant.settings(run.runtime().line(), run.installation().pluginJar()));
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
