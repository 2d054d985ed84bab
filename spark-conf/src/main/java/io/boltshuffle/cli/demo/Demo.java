package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.ExecutorMetrics;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.JobOutcome;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.ManagerChoice;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the workloads on a cluster of this machine, each under stock Spark and under the plugin, on the same input. */
public final class Demo {
    private final SparkRuntime runtime;
    private final ClusterSpec spec;
    private final long sizeBytes;
    private final List<DemoJob> selected;
    private final Installation installation;
    private final HostCables cables;
    private final ManagerChoice manager;
    private final Console console;

    /** @param manager whose shuffles the plugin carries */
    public Demo(
            SparkRuntime runtime,
            ClusterSpec spec,
            long sizeBytes,
            List<DemoJob> selected,
            Installation installation,
            HostCables cables,
            ManagerChoice manager,
            Console console) {
        this.runtime = runtime;
        this.spec = spec;
        this.sizeBytes = sizeBytes;
        this.selected = List.copyOf(selected);
        this.installation = installation;
        this.cables = cables;
        this.manager = manager;
        this.console = console;
    }

    /** Returns the most that a run of this size writes, in bytes. */
    public long diskBytes() {
        return Sizing.of(sizeBytes, spec).diskBytes();
    }

    /** Runs the demo. The event logs are in the run's directory {@code events}. */
    public DemoReport run(RunDirectory run, Teardown teardown) {
        console.line("starting Spark " + runtime.release() + " on " + spec.hosts() + " hosts");
        VirtualCluster cluster = VirtualCluster.start(runtime, spec, run, teardown);
        console.line("Spark UI while it runs: " + cluster.uiUrl());
        NodeAgents agents = agents(cluster, run, teardown);
        JobRunner jobs = new JobRunner(runtime, run, installation.examplesJar(), console, teardown);
        List<DemoRun> runs = new ArrayList<>();
        Set<String> inputs = new HashSet<>();
        List<Workload> workloads = workloads(run.directory("data"));
        Steps steps = new Steps(stepsOf(workloads), console);
        for (Workload workload : workloads) {
            if (inputs.add(workload.input().name())) {
                steps.next(workload.name() + ": making the input");
                jobs.runLocally(workload.input());
            }
            // The shuffles take turns at being the first, which finds no file in memory.
            List<ShuffleVariant> order = ShuffleVariant.inRound(runs.size() / ShuffleVariant.values().length);
            runs.addAll(compare(workload, order, cluster, agents, jobs, steps));
        }
        return new DemoReport(runtime.release(), spec.hosts(), cables.kind(), sizeBytes, runs);
    }

    /** Counts two runs and a check for each workload, and each input once. */
    private static int stepsOf(List<Workload> workloads) {
        long inputs = workloads.stream()
                .map(workload -> workload.input().name())
                .distinct()
                .count();
        return Math.toIntExact(inputs + (ShuffleVariant.values().length + 1L) * workloads.size());
    }

    private List<Workload> workloads(Path data) {
        Sizing sizing = Sizing.of(sizeBytes, spec);
        Map<String, String> generator = installation.generatorSettings();
        return selected.stream()
                .<Workload>map(job -> switch (job) {
                    case TERASORT -> new TeraSortWorkload(data, sizing);
                    case FEATURE_PREP -> new TablesWorkload(job, "FeaturePrep", data, sizing, generator);
                    case SALES_WALK -> new TablesWorkload(job, "SalesWalk", data, sizing, generator);
                })
                .toList();
    }

    private @Nullable NodeAgents agents(VirtualCluster cluster, RunDirectory run, Teardown teardown) {
        Path emulator = cables.emulator();
        if (emulator == null) {
            return null;
        }
        console.line("joining the hosts by virtual cables, " + cables.kind() + " mode, one node agent each");
        return NodeAgents.start(
                new NodeAgents.Parts(
                        AgentProgram.of(runtime, installation.pluginJar()), cables.agentSettings(), Map.of()),
                ClusterFabric.virtual(emulator, cables.kind()),
                cluster.hosts(),
                run,
                teardown);
    }

    private List<DemoRun> compare(
            Workload workload,
            List<ShuffleVariant> order,
            VirtualCluster cluster,
            @Nullable NodeAgents agents,
            JobRunner jobs,
            Steps steps) {
        Map<ShuffleVariant, JobOutcome> outcomes = new EnumMap<>(ShuffleVariant.class);
        Map<ShuffleVariant, Duration> agentCpu = new EnumMap<>(ShuffleVariant.class);
        for (ShuffleVariant variant : order) {
            steps.next(workload.name() + ": running with " + variant.label());
            Map<String, String> settings = settings(workload, variant, cluster.run());
            if (agents != null && variant == ShuffleVariant.BOLTSHUFFLE) {
                settings.putAll(agents.settings());
            }
            Duration cpuBefore = cpu(agents);
            outcomes.put(variant, jobs.runOn(cluster, workload.job(variant, settings)));
            agentCpu.put(variant, cpu(agents).minus(cpuBefore));
        }
        steps.next(workload.name() + ": checking both outputs");
        Verdict verdict = check(workload, jobs);
        List<DemoRun> runs = new ArrayList<>();
        outcomes.forEach((variant, outcome) -> runs.add(new DemoRun(
                workload.name(),
                variant,
                outcome.wallMillis(),
                ExecutorMetrics.read(metricsDirectory(workload, variant, cluster.run())),
                agentCpu.getOrDefault(variant, Duration.ZERO),
                verdict.valid(),
                verdict.text())));
        return runs;
    }

    private static Duration cpu(@Nullable NodeAgents agents) {
        return agents == null ? Duration.ZERO : agents.cpu();
    }

    private record Verdict(boolean valid, String text) {}

    private static Verdict check(Workload workload, JobRunner jobs) {
        try {
            return new Verdict(true, jobs.runLocally(workload.check()).lastLine());
        } catch (BoltException e) {
            return new Verdict(false, e.getMessage());
        }
    }

    private Map<String, String> settings(Workload workload, ShuffleVariant variant, RunDirectory run) {
        Map<String, String> settings = new HashMap<>(variant.settings(runtime.line(), installation.pluginJar()));
        if (manager == ManagerChoice.STOCK) {
            settings.remove(PluginFlags.SHUFFLE_MANAGER);
        }
        // Both variants name a Spark plugin, and spark.plugins is a list.
        ExecutorMetrics.settings(metricsDirectory(workload, variant, run))
                .forEach((key, value) -> settings.merge(key, value, (plugin, other) -> plugin + "," + other));
        settings.putAll(EventLogs.settings(run.directory("events")));
        settings.putAll(Sizing.of(sizeBytes, spec).quickStart(run.temporaryFilesOption()));
        return settings;
    }

    private static Path metricsDirectory(Workload workload, ShuffleVariant variant, RunDirectory run) {
        return run.directory("metrics/" + workload.name() + "-" + variant.label());
    }
}
