package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostCables;
import io.boltshuffle.cli.cluster.LoopbackHosts;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.job.ExecutorMetrics;
import io.boltshuffle.cli.job.JobOutcome;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSeries;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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
        VirtualCluster cluster = VirtualCluster.start(runtime, spec, LoopbackHosts.first(spec.hosts()), run, teardown);
        console.line("Spark UI while it runs: " + cluster.uiUrl());
        NodeAgents agents = agents(cluster, run, teardown);
        JobRunner jobs = new JobRunner(runtime, run, installation.examplesJar(), console, teardown);
        List<Workload> workloads = workloads(run.directory("data"));
        Steps steps = new Steps(2 + ShuffleVariant.values().length * workloads.size(), console);
        steps.next("making the inputs");
        jobs.runLocally(JobSpec.inTurn("inputs", inputs(workloads)));
        List<Measured> measured = measure(workloads, cluster, agents, jobs, steps);
        steps.next("checking all outputs");
        Map<String, Verdict> verdicts = check(workloads, jobs::runLocally);
        List<DemoRun> runs = measured.stream()
                .map(one -> one.judged(
                        ExecutorMetrics.read(metricsDirectory(one.workload().name(), one.variant(), run)),
                        Objects.requireNonNull(verdicts.get(one.workload().name()))))
                .toList();
        return new DemoReport(runtime.release(), spec.hosts(), cables.kind(), sizeBytes, runs);
    }

    /** Returns each input once. */
    private static List<JobSpec> inputs(List<Workload> workloads) {
        Map<String, JobSpec> inputs = new LinkedHashMap<>();
        workloads.forEach(workload -> inputs.putIfAbsent(workload.input().name(), workload.input()));
        return List.copyOf(inputs.values());
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
                ClusterFabric.virtual(emulator, new Cabling(cables.kind(), 1)),
                cluster.network(),
                run,
                teardown);
    }

    /** One run of a job, before its output is checked and its executors' last figures are there. */
    private record Measured(Workload workload, ShuffleVariant variant, long wallMillis, Duration agentCpu) {
        DemoRun judged(ExecutorMetrics metrics, Verdict verdict) {
            return new DemoRun(
                    workload.name(), variant, wallMillis, metrics, agentCpu, verdict.valid(), verdict.text());
        }
    }

    /**
     * Runs all jobs of a shuffle in one driver. The shuffles take turns at being the first, which finds no file in
     * memory.
     */
    private List<Measured> measure(
            List<Workload> workloads,
            VirtualCluster cluster,
            @Nullable NodeAgents agents,
            JobRunner jobs,
            Steps steps) {
        List<Measured> measured = new ArrayList<>();
        Map<ShuffleVariant, JobSeries> series = new EnumMap<>(ShuffleVariant.class);
        for (int round = 0; round < workloads.size(); round++) {
            Workload workload = workloads.get(round);
            Map<ShuffleVariant, Measured> runs = new EnumMap<>(ShuffleVariant.class);
            for (ShuffleVariant variant : ShuffleVariant.inRound(round)) {
                steps.next(workload.name() + ": running with " + variant.label());
                JobSeries driver = series.computeIfAbsent(
                        variant, one -> jobs.seriesOn(cluster, one.label(), specs(workloads, one, cluster, agents)));
                Duration cpuBefore = cpu(agents);
                JobOutcome outcome = driver.next(workload.name() + "-" + variant.label());
                runs.put(
                        variant,
                        new Measured(
                                workload,
                                variant,
                                outcome.wallMillis(),
                                cpu(agents).minus(cpuBefore)));
            }
            measured.addAll(runs.values());
        }
        series.values().forEach(JobSeries::close);
        return measured;
    }

    private List<JobSpec> specs(
            List<Workload> workloads, ShuffleVariant variant, VirtualCluster cluster, @Nullable NodeAgents agents) {
        return workloads.stream()
                .map(workload -> {
                    Map<String, String> settings = settings(workload, variant, cluster.run());
                    if (agents != null && variant == ShuffleVariant.BOLTSHUFFLE) {
                        settings.putAll(agents.settings());
                    }
                    return workload.job(variant, settings);
                })
                .toList();
    }

    private static Duration cpu(@Nullable NodeAgents agents) {
        return agents == null ? Duration.ZERO : agents.cpu();
    }

    record Verdict(boolean valid, String text) {}

    /** Checks all outputs in one JVM. If that fails, each is checked by itself, which shows whose output is wrong. */
    static Map<String, Verdict> check(List<Workload> workloads, Function<JobSpec, JobOutcome> jobs) {
        Map<String, Verdict> verdicts = new HashMap<>();
        try {
            JobSpec all = JobSpec.inTurn(
                    "checks", workloads.stream().map(Workload::check).toList());
            Iterator<String> results = jobs.apply(all).results().iterator();
            workloads.forEach(workload -> verdicts.put(workload.name(), new Verdict(true, results.next())));
        } catch (BoltException e) {
            workloads.forEach(workload -> verdicts.put(workload.name(), checkAlone(workload, jobs)));
        }
        return verdicts;
    }

    private static Verdict checkAlone(Workload workload, Function<JobSpec, JobOutcome> jobs) {
        try {
            return new Verdict(true, jobs.apply(workload.check()).results().get(0));
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
        ExecutorMetrics.settings(metricsDirectory(workload.name(), variant, run))
                .forEach((key, value) -> settings.merge(key, value, (plugin, other) -> plugin + "," + other));
        settings.putAll(EventLogs.settings(run.directory("events")));
        settings.putAll(Sizing.of(sizeBytes, spec).quickStart(run.temporaryFilesOption()));
        return settings;
    }

    private static Path metricsDirectory(String workload, ShuffleVariant variant, RunDirectory run) {
        return run.directory("metrics/" + workload + "-" + variant.label());
    }
}
