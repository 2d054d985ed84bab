package io.boltshuffle.cli.job;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.cli.cluster.LogExcerpt;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.runtime.SparkLauncher;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.examples.ProgressLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Submits jobs and follows them to their end, one at a time. */
public final class JobRunner {
    private final SparkRuntime runtime;
    private final RunDirectory run;
    private final Path examplesJar;
    private final Console console;
    private final Teardown teardown;

    public JobRunner(SparkRuntime runtime, RunDirectory run, Path examplesJar, Console console, Teardown teardown) {
        this.runtime = runtime;
        this.run = run;
        this.examplesJar = examplesJar;
        this.console = console;
        this.teardown = teardown;
    }

    public static JobRunner of(ClusterRun run) {
        return new JobRunner(
                run.runtime(), run.directory(), run.installation().examplesJar(), run.console(), run.teardown());
    }

    /** Runs a job in one process with all cores. This suits jobs that only prepare or check. */
    public JobOutcome runLocally(JobSpec job) {
        return run(
                job,
                HostNetwork.loopback(0),
                Map.of(
                        "spark.master",
                        "local[*]",
                        "spark.ui.enabled",
                        "false",
                        "spark.driver.extraJavaOptions",
                        VirtualCluster.QUICK_START + " " + run.temporaryFilesOption()));
    }

    /**
     * Runs a job on the cluster, with one executor on each host. Its driver runs where the network has drivers, or on
     * the host that the job's {@code spark.driver.host} names.
     */
    public JobOutcome runOn(VirtualCluster cluster, JobSpec job) {
        return run(job, cluster.network(), onCluster(cluster));
    }

    /** Starts a driver for jobs of the examples on the cluster, which wait until they are told to run. */
    public JobSeries seriesOn(VirtualCluster cluster, String name, List<JobSpec> jobs) {
        ProcessBuilder submit = submit(JobSpec.whenTold(name, jobs), cluster.network(), onCluster(cluster));
        return JobSeries.start(name, submit, run.log(name), console, teardown);
    }

    private Map<String, String> onCluster(VirtualCluster cluster) {
        Map<String, String> settings = onAllHosts(cluster.spec());
        settings.put("spark.master", cluster.masterUrl());
        settings.put("spark.executor.extraJavaOptions", run.temporaryFilesOption());
        settings.put("spark.ui.port", "0");
        return settings;
    }

    /**
     * One executor on each host, and no task before all are there. Spark waits for a share of {@code spark.cores.max}:
     * where that is not set it waits for nothing, and a short job is over on one host before the executor of another
     * has come.
     */
    static Map<String, String> onAllHosts(ClusterSpec spec) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.executor.cores", Integer.toString(spec.coresPerHost()));
        settings.put("spark.executor.memory", spec.executorMemory());
        settings.put("spark.cores.max", Integer.toString(spec.cores()));
        settings.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
        settings.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s");
        return settings;
    }

    private JobOutcome run(JobSpec job, HostNetwork network, Map<String, String> placement) {
        return follow(job, submit(job, network, placement));
    }

    private ProcessBuilder submit(JobSpec job, HostNetwork network, Map<String, String> placement) {
        String asked = job.settings().getOrDefault("spark.driver.host", "");
        String driver = network.hosts().contains(asked) ? asked : network.driver();
        Map<String, String> settings = new LinkedHashMap<>(placement);
        settings.put("spark.app.name", job.name());
        settings.put("spark.driver.host", driver);
        settings.put("spark.driver.bindAddress", driver);
        settings.putIfAbsent("spark.driver.extraJavaOptions", run.temporaryFilesOption());
        settings.put("spark.extraListeners", ProgressLine.LISTENER);
        settings.putAll(job.settings());
        Path jar = Installation.jarOf(job.mainClass());
        if (!jar.equals(examplesJar)) {
            // The examples' jar has the listener that watches a job of another jar.
            settings.merge("spark.jars", examplesJar.toString(), (own, examples) -> own + "," + examples);
        }
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        arguments.addAll(List.of("--class", job.mainClass(), jar.toString()));
        arguments.addAll(job.arguments());
        ProcessBuilder submit = new SparkLauncher(runtime)
                .prepare("org.apache.spark.deploy.SparkSubmit", arguments, VirtualCluster.environment(run, driver));
        return network.on(driver, submit);
    }

    private JobOutcome follow(JobSpec job, ProcessBuilder submit) {
        Path log = run.log(job.name());
        try {
            submit.redirectError(log.toFile());
            Process driver = teardown.start(submit);
            driver.getOutputStream().close();
            DriverOutput output = new DriverOutput(job.name(), console);
            output.readToEnd(driver.inputReader());
            int exit = driver.waitFor();
            console.clearStatus();
            if (exit != 0) {
                throw BoltException.failed(job.name() + " failed: " + LogExcerpt.ofFailure(log));
            }
            return output.outcome();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
