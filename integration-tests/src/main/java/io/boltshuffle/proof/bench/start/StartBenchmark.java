package io.boltshuffle.proof.bench.start;

import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.JoinedCluster;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.proof.bench.report.MachineState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts the application with stock Spark and with the plugin by turns. */
public final class StartBenchmark {
    private static final int HOSTS = 2;
    private static final String MEMORY = "512m";

    private final ClusterRun run;
    private final int rounds;
    private final MachineState before = MachineState.now();
    private final List<StartSample> stock = new CopyOnWriteArrayList<>();
    private final List<StartSample> boltshuffle = new CopyOnWriteArrayList<>();

    public StartBenchmark(ClusterRun run, int rounds) {
        this.run = run;
        this.rounds = rounds;
    }

    public StartReport run(Cabling cabling) {
        JoinedCluster cluster = JoinedCluster.start(run, ClusterSpec.sharing(HOSTS, MEMORY), cabling);
        for (ShuffleVariant variant : ShuffleVariant.values()) {
            start(cluster, variant, "warm-up"); // The first ones read Spark's jars from the disk.
        }
        for (int round = 0; round < rounds; round++) {
            for (ShuffleVariant variant : ShuffleVariant.inRound(round)) {
                run.console().line("round " + (round + 1) + " of " + rounds + ", " + variant.label());
                StartSample sample = start(cluster, variant, Integer.toString(round));
                (variant == ShuffleVariant.STOCK ? stock : boltshuffle).add(sample);
            }
        }
        return report();
    }

    /** Returns what has been measured with both. Any thread may ask while others run. */
    public Optional<StartReport> soFar() {
        return stock.isEmpty() || boltshuffle.isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private StartReport report() {
        return new StartReport(
                run.runtime().release(), before, MachineState.now(), List.copyOf(stock), List.copyOf(boltshuffle));
    }

    private StartSample start(JoinedCluster cluster, ShuffleVariant variant, String round) {
        Map<String, String> settings = new HashMap<>(
                variant.settings(run.runtime().line(), run.installation().pluginJar()));
        if (variant == ShuffleVariant.BOLTSHUFFLE) {
            settings.putAll(cluster.agents().settings());
        }
        String name = "start-" + variant.label() + "-" + round;
        long started = System.nanoTime();
        String line = run.jobs()
                .runOn(cluster.spark(), new JobSpec(name, "io.boltshuffle.bench.StartBench", List.of(), settings))
                .lastLine();
        return StartSample.of(line, (System.nanoTime() - started) / 1_000_000);
    }
}
