package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.AgentLedgers;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.soak.inspark.JobResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Runs one soak, from its cluster to its report. */
final class Soak {
    private static final int HOSTS = 2;
    private static final String MEMORY = "512m";

    /**
     * Two tasks that read large blocks hold more memory than there is, so that the pool is full again and again. Bytes
     * that are read get a checksum, too, because the soak damages frames that no hardware checks.
     */
    private static final Map<String, String> AGENT_SETTINGS = Map.of(
            "spark.boltshuffle.agent.slab", "64m",
            "spark.boltshuffle.agent.checksum", "always",
            "spark.boltshuffle.agent.heartbeatTimeout", "3s",
            "spark.boltshuffle.agent.connectTimeout", "10s",
            "spark.boltshuffle.fetch.timeout", "10s");

    private final ClusterRun run;
    private final Plan plan;

    /** @param settings of the plugin, in place of those that a soak has */
    record Plan(CableKind cables, Duration faults, long seed, Map<String, String> settings) {}

    Soak(ClusterRun run, Plan plan) {
        this.run = run;
        this.plan = plan;
    }

    Report run() {
        run.console().line("seed " + plan.seed());
        VirtualCluster cluster = run.start(ClusterSpec.sharing(HOSTS, MEMORY));
        JobRunner jobs = JobRunner.of(run);
        run.console().line("running each job with stock Spark");
        Path stock = run.directory().directory("results").resolve("stock");
        jobs.runOn(cluster, job("soak-stock", List.of(stock.toString(), "once"), settings(ShuffleVariant.STOCK)));
        SlowDisk disk = SlowDisk.of(run.directory().directory("hosts"), run.emulator(), run.teardown());
        Map<String, String> settings = new HashMap<>(AGENT_SETTINGS);
        settings.putAll(plan.settings());
        NodeAgents agents = run.join(cluster, new Cabling(plan.cables(), 1), settings, disk.environment());
        Map<String, String> expected =
                results(stock).stream().collect(Collectors.toMap(JobResult::job, JobResult::answer));
        return soak(cluster, jobs, new Targets(agents, disk), expected);
    }

    private Report soak(VirtualCluster cluster, JobRunner jobs, Targets targets, Map<String, String> expected) {
        NodeAgents agents = targets.cluster();
        run.console()
                .line("running jobs with boltshuffle while things fail, for "
                        + plan.faults().toSeconds() + " s");
        Path results = cluster.run().directory("results").resolve("boltshuffle");
        Path end = cluster.run().directory("results").resolve("end");
        Map<String, String> settings = settings(ShuffleVariant.BOLTSHUFFLE);
        settings.putAll(agents.settings());
        targets.disk().environment().forEach((name, value) -> settings.put("spark.executorEnv." + name, value));
        List<String> arguments = List.of(results.toString(), end.toString(), Long.toString(plan.seed()));
        AgentRecords records = new AgentRecords(agents.directory());
        Curves curves = new Curves();
        ResourceSampler sampler = new ResourceSampler(curves, records, cluster.hosts());
        FaultSchedule faults = new FaultSchedule(
                targets, records, curves, new FaultSchedule.Plan(plan.faults(), plan.seed(), end), run.console());
        FaultSchedule.Outcome outcome;
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            threads.execute(sampler);
            Future<FaultSchedule.Outcome> struck = threads.submit(faults);
            jobs.runOn(cluster, job("soak-boltshuffle", arguments, settings));
            outcome = await(struck);
            sampler.stop();
        } finally {
            threads.shutdownNow();
        }
        List<String> unsettled = new ArrayList<>(new AgentLedgers(agents.directory()).unsettled());
        if (!outcome.isRecovered()) {
            unsettled.add("no block came by RDMA after the last fault, for " + FaultSchedule.RECOVERY.toMinutes()
                    + " minutes");
        }
        records.ask(cluster.hosts());
        SoakResults.Traffic traffic = new SoakResults.Traffic(
                records.fetchedBytes(),
                agents.cables().corruptedFrames(),
                records.damageFound(),
                records.failedLinks(),
                records.failedFetches(),
                records.servedFromMemoryBytes(),
                records.laidOutBlocks());
        return new SoakResults(
                        run.runtime().release(),
                        plan.seed(),
                        MachineState.now(),
                        expected,
                        results(results),
                        outcome.events(),
                        outcome.arrivals(),
                        traffic,
                        curves.series(),
                        unsettled)
                .report();
    }

    private static JobSpec job(String name, List<String> arguments, Map<String, String> settings) {
        return new JobSpec(name, "io.boltshuffle.proof.soak.inspark.SoakRun", arguments, settings);
    }

    /**
     * Returns the settings. Heaps have their full size from the start, so that growth of a process has another reason.
     */
    private Map<String, String> settings(ShuffleVariant variant) {
        String options =
                run.directory().temporaryFilesOption() + " -Xms" + MEMORY + " -XX:+AlwaysPreTouch -XX:+UseSerialGC";
        Map<String, String> settings = new HashMap<>(
                variant.settings(run.runtime().line(), run.installation().pluginJar()));
        settings.put("spark.driver.memory", MEMORY);
        settings.put("spark.driver.extraJavaOptions", options);
        settings.put("spark.executor.extraJavaOptions", options);
        // Executors die more often here than Spark's defaults allow a job to lose tasks and stages.
        settings.put("spark.task.maxFailures", "20");
        settings.put("spark.stage.maxConsecutiveAttempts", "20");
        settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
        settings.put("spark.sql.shuffle.partitions", "6");
        // Spark bounds what it keeps to show, but by more than a soak of minutes would fill.
        settings.put("spark.ui.retainedJobs", "50");
        settings.put("spark.ui.retainedStages", "50");
        settings.put("spark.ui.retainedTasks", "500");
        settings.put("spark.ui.retainedDeadExecutors", "5");
        settings.put("spark.sql.ui.retainedExecutions", "20");
        // This pool of the driver grows by a thread for each shuffle of a query, up to a thousand.
        settings.put("spark.sql.shuffleExchange.maxThreadThreshold", "8");
        settings.put("spark.cleaner.periodicGC.interval", "20s");
        return settings;
    }

    private static List<JobResult> results(Path file) {
        try {
            return Files.readAllLines(file).stream().map(JobResult::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T await(Future<T> result) {
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BoltException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
