package io.boltshuffle.proof.bench.compare;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.demo.Sizing;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.proof.bench.inspark.JobPlan;
import io.boltshuffle.proof.bench.inspark.JobPlan.QueryPlan;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.SparkRelease;
import io.boltshuffle.proof.queries.QueryChoice;
import io.boltshuffle.proof.queries.QuerySet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs all jobs in one application, with and without compression, alternately with both shuffles. */
public final class JobBenchmark {
    private final JoinedCluster cluster;
    private final Optional<HeldNetwork> network;
    private final JobScale scale;
    private final Map<String, String> eventLogs;
    private final List<Measured> measured = new CopyOnWriteArrayList<>();
    /** The state of the machine when the first application began. */
    private volatile MachineState before = MachineState.now();

    /**
     * @param network what the cluster's network and cables are held to; empty for the loopback network
     * @param eventLogs the settings by which applications write event logs; may be none
     */
    public JobBenchmark(
            JoinedCluster cluster, Optional<HeldNetwork> network, JobScale scale, Map<String, String> eventLogs) {
        this.cluster = cluster;
        this.network = network;
        this.scale = scale;
        this.eventLogs = Map.copyOf(eventLogs);
    }

    /**
     * @param suites a runtime that holds the text of the queries
     * @param data where inputs are, or are made
     */
    public Report run(SparkRuntime suites, Path data) {
        ClusterRun run = cluster.run();
        JobInputs inputs = new JobInputs(run, data);
        Sizing sizing = Sizing.of(scale.rowBytes(), cluster.spark().spec());
        String rows = scale.rowBytes() == 0 ? "" : inputs.rows(sizing).toString();
        JobPlan plan = new JobPlan(
                rows,
                run.directory().root().resolve("sorted").toString(),
                sizing.partitions(),
                scale.shuffles(),
                scale.shuffleBytes(),
                scale.etl() ? inputs.orders(scale.tableScale()).toString() : "",
                run.directory().root().resolve("features").toString(),
                scale.notebook(),
                scale.queries().entrySet().stream()
                        .map(each -> queries(each.getKey(), each.getValue(), suites, inputs))
                        .toList(),
                scale.adaptive(),
                scale.runs(),
                cluster.agents().processIds());
        before = MachineState.now();
        measure(plan, Clusters.start(cluster, scale.contenders(), scale.localBytes()));
        return report();
    }

    private QueryPlan queries(QuerySet set, QueryChoice choice, SparkRuntime suites, JobInputs inputs) {
        Path files = cluster.run().directory().directory("queries/" + set);
        set.unpack(suites, choice, files);
        return new QueryPlan(
                set == QuerySet.TPCDS ? "" : set + " ",
                inputs.tables(set, scale.tableScale()).toString(),
                files.toString());
    }

    /** Returns what the applications that have ended measured. Any thread may ask while others run. */
    public Optional<Report> soFar() {
        return measured.isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private Report report() {
        return results().report();
    }

    private JobResults results() {
        return new JobResults(circumstances(), network, before, MachineState.now(), measured, scale.answersOnly());
    }

    private void measure(JobPlan plan, Clusters clusters) {
        for (Compression compression : scale.compressions()) {
            for (int round = 0; round < scale.rounds(); round++) {
                for (Contender contender : Contender.inRound(round, scale.contenders())) {
                    measure(plan, compression, contender, round, clusters);
                }
            }
        }
        // What gives two answers without the plugin is not held against it.
        Set<String> differing = results().comparisons().stream()
                .filter(Comparison::differs)
                .map(Comparison::accelerator)
                .collect(toSet());
        scale.contenders().stream()
                .filter(each -> each.role() == Contender.Role.STOCK && differing.contains(each.accelerator()))
                .forEach(stock -> scale.compressions()
                        .forEach(compression -> measure(plan, compression, stock, scale.rounds(), clusters)));
    }

    private void measure(JobPlan plan, Compression compression, Contender contender, int round, Clusters clusters) {
        cluster.run()
                .console()
                .line(compression.title() + ", round " + (round + 1) + " of " + scale.rounds() + ": "
                        + contender.title());
        String name = "jobs-" + compression.label() + "-" + contender.label() + "-" + round;
        measured.addAll(new Application(name, "JobBench", plan, settings(compression))
                .run(
                        clusters.of(contender),
                        contender,
                        piece -> NotebookTotals.title(piece) + ", " + compression.title()));
        checkSorted(name, plan);
        FileTrees.delete(Path.of(plan.features()));
    }

    /** Succeeds only if the output is right. The next application writes to the same place. */
    private void checkSorted(String name, JobPlan plan) {
        if (!plan.rows().isEmpty()) {
            JobRunner.of(cluster.run())
                    .runLocally(JobSpec.example(
                            name + "-check", "TeraValidate", List.of(plan.rows(), plan.sorted()), Map.of()));
            FileTrees.delete(Path.of(plan.sorted()));
        }
    }

    /**
     * Returns the settings. Spark would broadcast tables of a test's size, while it shuffles tables of a usual size.
     */
    private Map<String, String> settings(Compression compression) {
        Map<String, String> settings = new HashMap<>(eventLogs);
        settings.put("spark.shuffle.compress", compression.setting());
        settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
        settings.put("spark.sql.shuffle.partitions", Integer.toString(partitions()));
        settings.put(
                "spark.sql.adaptive.enabled", Boolean.toString(scale.adaptive().get(0)));
        return settings;
    }

    private int partitions() {
        return scale.partitions() == 0 ? cluster.spark().spec().cores() * 4 : scale.partitions();
    }

    private String circumstances() {
        List<String> parts = new ArrayList<>(List.of(
                SparkRelease.described(cluster.run().runtime().release()),
                cluster.spark().spec().hosts() + " hosts",
                cluster.cabling().label() + " cables"));
        if (scale.rowBytes() > 0) {
            parts.add("TeraSort of " + ByteFigures.bytes(scale.rowBytes()));
        }
        if (!scale.shuffles().isEmpty()) {
            parts.add("small jobs of " + ByteFigures.bytes(scale.shuffleBytes()));
        }
        if (scale.notebook()) {
            parts.add("a notebook's cells");
        }
        if (scale.etl()) {
            parts.add("ETL of TPC-H at scale " + scale.tableScale());
        }
        scale.queries().keySet().forEach(set -> parts.add(set.title() + " at scale " + scale.tableScale()));
        parts.add(partitions() + " partitions and AQE "
                + scale.adaptive().stream()
                        .map(adaptive -> adaptive ? "on" : "off")
                        .collect(joining(" and ")));
        parts.add(scale.rounds() + " rounds");
        return String.join(", ", parts);
    }
}
