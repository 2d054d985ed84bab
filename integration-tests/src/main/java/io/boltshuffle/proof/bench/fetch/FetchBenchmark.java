package io.boltshuffle.proof.bench.fetch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.bench.FetchBenchPlan;
import io.boltshuffle.bench.FetchSample;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Fabric;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.conf.Options;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the measurement over each kind of cables, with agents of its own and both routes in one application. */
public final class FetchBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TRACED_FETCHES = 1000;

    private final VirtualCluster cluster;
    private final JobRunner jobs;
    private final Installation installation;
    private final Path emulator;
    private final Console console;

    public FetchBenchmark(
            VirtualCluster cluster, JobRunner jobs, Installation installation, Path emulator, Console console) {
        this.cluster = cluster;
        this.jobs = jobs;
        this.installation = installation;
        this.emulator = emulator;
        this.console = console;
    }

    /** @param settings of the plugin, in place of those that agents get by default */
    public FetchReport run(List<CableKind> kinds, FetchScale scale, Map<String, String> settings) {
        MachineState before = MachineState.now();
        List<FetchPoint> points = new ArrayList<>();
        List<TracedFetches> traces = new ArrayList<>();
        for (CableKind kind : kinds) {
            console.line("fetching over " + kind.label() + " cables");
            try (Teardown agents = Teardown.hooked()) {
                points.addAll(FetchPoint.of(kind, measure(kind, scale, settings, agents)));
                if (scale.traced()) {
                    traces.add(new TracedFetches(kind, last(FetchLife.read(trace(kind)))));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new FetchReport(cluster.runtime().release(), before, MachineState.now(), points, traces);
    }

    /** The plugin's fetches are measured last; before, blocks were compared, and processes warmed up. */
    private static List<FetchLife> last(List<FetchLife> lives) {
        return lives.subList(Math.max(0, lives.size() - TRACED_FETCHES), lives.size());
    }

    private Path trace(CableKind kind) {
        return directory(kind).resolve("trace.txt").toAbsolutePath();
    }

    private Path directory(CableKind kind) {
        return cluster.run().directory("fetch-" + kind.label());
    }

    private List<FetchSample> measure(
            CableKind kind, FetchScale scale, Map<String, String> ofPlugin, Teardown teardown) {
        Map<String, String> ofAgents = new HashMap<>(ofPlugin);
        if (scale.traced()) {
            ofAgents.put(Options.FETCH_TRACE.key(), trace(kind).toString());
        }
        NodeAgents agents = NodeAgents.start(
                new NodeAgents.Parts(AgentProgram.of(cluster.runtime(), installation.pluginJar()), ofAgents, Map.of()),
                Fabric.virtual(emulator, kind),
                cluster.hosts(),
                cluster.run(),
                teardown);
        FetchBenchPlan plan = scale.plan(agents.processIds());
        Path directory = directory(kind);
        Path orders = directory.resolve("plan.json");
        Path results = directory.resolve("results.json");
        Map<String, String> settings = new HashMap<>(
                ShuffleVariant.BOLTSHUFFLE.settings(cluster.runtime().line(), installation.pluginJar()));
        settings.putAll(agents.settings());
        // One task at a time on each host gets all of its cores.
        settings.put("spark.task.cpus", Integer.toString(cluster.spec().coresPerHost()));
        // The program reports its progress itself.
        settings.put("spark.extraListeners", "");
        settings.put("spark.ui.enabled", "false");
        try {
            JSON.writeValue(orders.toFile(), plan);
            jobs.runOn(
                    cluster,
                    new JobSpec(
                            "fetch-" + kind.label(),
                            "io.boltshuffle.bench.FetchBench",
                            List.of(orders.toString(), results.toString()),
                            settings));
            return JSON.readValue(results.toFile(), new TypeReference<List<FetchSample>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
