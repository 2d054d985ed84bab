package io.boltshuffle.proof.bench.fetch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.ClusterSpec;
import io.boltshuffle.cli.cluster.HostNetwork;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.conf.Options;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.baseline.MemoryDirectory;
import io.boltshuffle.proof.bench.inspark.FetchBenchPlan;
import io.boltshuffle.proof.bench.inspark.FetchSample;
import io.boltshuffle.proof.bench.network.HostPath;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Runs the measurement in each setup, with a cluster and agents of its own and both routes in one application.
 *
 * <p><b>Threads:</b> the main thread; any may ask {@link #soFar}.
 */
public final class FetchBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TRACED_FETCHES = 1000;
    private static final int HOSTS = 2;
    private static final String EXECUTOR_MEMORY = "1g";

    private final ClusterRun run;
    private final FetchScale scale;
    private final Map<String, String> ofPlugin;
    private final MachineState before = MachineState.now();
    private final List<String> skipped = new CopyOnWriteArrayList<>();
    private final Measured measured = new Measured();
    private final List<TracedFetches> traces = new CopyOnWriteArrayList<>();

    /** The points of applications that have ended, and the one that runs. */
    private static final class Measured {
        private final List<FetchPoint> ended = new ArrayList<>();
        private @Nullable UnderWay underWay;

        synchronized void begin(UnderWay application) {
            underWay = application;
        }

        synchronized void end(List<FetchPoint> points) {
            ended.addAll(points);
            underWay = null;
        }

        synchronized List<FetchPoint> points() {
            List<FetchPoint> all = new ArrayList<>(ended);
            UnderWay application = underWay;
            if (application != null && Files.exists(application.results())) {
                all.addAll(application.points());
            }
            return all;
        }
    }

    /** The application that runs, with the file to which it writes what it has measured. */
    private record UnderWay(FetchSetup setup, Path results) {
        List<FetchPoint> points() {
            try {
                return FetchPoint.of(
                        setup, JSON.readValue(results.toFile(), new TypeReference<List<FetchSample>>() {}));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** @param ofPlugin settings of the plugin, in place of those that agents get by default */
    public FetchBenchmark(ClusterRun run, FetchScale scale, Map<String, String> ofPlugin) {
        this.run = run;
        this.scale = scale;
        this.ofPlugin = Map.copyOf(ofPlugin);
    }

    /**
     * Measures. A path that this machine cannot have is skipped with the reason, as long as it has another.
     *
     * @throws BoltException if it can have none of them
     */
    public Report run(List<CableKind> kinds, List<HostPath> paths, List<Baseline> baselines) {
        BoltException lastRefusal = null;
        for (HostPath path : paths) {
            Optional<BoltException> refusal = refusal(path);
            if (refusal.isPresent()) {
                lastRefusal = refusal.get();
                skipped.add(path + ": " + lastRefusal.getMessage());
                run.console().line("skipping " + path + ": " + lastRefusal.getMessage());
                continue;
            }
            for (Baseline baseline : baselines) {
                for (CableKind kind : kinds) {
                    measure(new FetchSetup(kind, path, baseline));
                }
            }
        }
        List<FetchPoint> points = measured.points();
        if (points.isEmpty() && lastRefusal != null) {
            throw lastRefusal;
        }
        return report(points);
    }

    /** Returns why this machine cannot have a path, if so. */
    private Optional<BoltException> refusal(HostPath path) {
        try (Teardown trial = Teardown.hooked()) {
            path.make(trial);
            return Optional.empty();
        } catch (BoltException e) {
            if (e.exitCode() != ExitCode.ENVIRONMENT) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /** Returns what has been measured until now, that of the application under way included. */
    public Optional<Report> soFar() {
        List<FetchPoint> points = measured.points();
        return points.isEmpty() ? Optional.empty() : Optional.of(report(points));
    }

    private Report report(List<FetchPoint> points) {
        return new FetchResults(
                        run.runtime().release(),
                        before,
                        MachineState.now(),
                        points,
                        List.copyOf(traces),
                        List.copyOf(skipped))
                .report();
    }

    /** The plugin's fetches are measured last; before, blocks were compared, and processes warmed up. */
    private static List<FetchLife> last(List<FetchLife> lives) {
        return lives.subList(Math.max(0, lives.size() - TRACED_FETCHES), lives.size());
    }

    private void measure(FetchSetup setup) {
        run.console().line("fetching: " + setup.title());
        try (Teardown end = Teardown.hooked()) {
            // The run's directory is removed only after what writes to it has ended.
            run.teardown().push(end::close);
            Path directory = run.directory().directory("fetch-" + setup.label());
            RunDirectory here = setup.baseline() == Baseline.TMPFS
                    ? MemoryDirectory.create(scale.diskBytes(HOSTS), end)
                    : new RunDirectory(directory, false);
            ClusterRun part =
                    new ClusterRun(run.runtime(), run.installation(), run.emulator(), here, run.console(), end);
            HostNetwork network = setup.path().make(end);
            VirtualCluster cluster = part.start(ClusterSpec.sharing(HOSTS, EXECUTOR_MEMORY), network);
            Path trace = directory.resolve("trace.txt").toAbsolutePath();
            NodeAgents agents = part.join(cluster, new Cabling(setup.cables(), 1), settings(trace), Map.of());
            Path results = directory.resolve("results.json");
            UnderWay application = new UnderWay(setup, results);
            measured.begin(application);
            runApplication(part, cluster, agents, setup, directory.resolve("plan.json"), results);
            measured.end(application.points());
            if (scale.traced()) {
                traces.add(new TracedFetches(setup, last(FetchLife.read(trace))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> settings(Path trace) {
        Map<String, String> settings = new HashMap<>(ofPlugin);
        if (scale.traced()) {
            settings.put(Options.FETCH_TRACE.key(), trace.toString());
        }
        return settings;
    }

    private void runApplication(
            ClusterRun part, VirtualCluster cluster, NodeAgents agents, FetchSetup setup, Path orders, Path results) {
        FetchBenchPlan plan = scale.plan(agents.processIds());
        Map<String, String> settings = new HashMap<>(ShuffleVariant.BOLTSHUFFLE.settings(
                run.runtime().line(), run.installation().pluginJar()));
        settings.putAll(agents.settings());
        settings.putAll(setup.baseline().settings());
        // One task at a time on each host gets all of its cores.
        settings.put("spark.task.cpus", Integer.toString(cluster.spec().coresPerHost()));
        // The program reports its progress itself.
        settings.put("spark.extraListeners", "");
        settings.put("spark.ui.enabled", "false");
        try {
            JSON.writeValue(orders.toFile(), plan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JobRunner.of(part)
                .runOn(
                        cluster,
                        new JobSpec(
                                "fetch-" + setup.label(),
                                "io.boltshuffle.proof.bench.inspark.FetchBench",
                                List.of(orders.toString(), results.toString()),
                                settings));
    }
}
