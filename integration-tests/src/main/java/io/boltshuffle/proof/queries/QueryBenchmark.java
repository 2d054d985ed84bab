package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.cluster.ExecutorMetrics;
import io.boltshuffle.cli.cluster.JobRunner;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs one benchmark's queries on a running cluster, with either shuffle, over the same tables. */
final class QueryBenchmark {
    private static final String PACKAGE = "io.boltshuffle.queries.";
    private static final String FILES = "4";

    private final SparkRuntime suites;
    private final VirtualCluster cluster;
    private final NodeAgents agents;
    private final JobRunner jobs;
    private final Installation installation;
    private final Console console;

    /**
     * Creates the benchmark.
     *
     * @param suites a runtime of the cluster's line, with test jars
     */
    QueryBenchmark(
            SparkRuntime suites,
            VirtualCluster cluster,
            NodeAgents agents,
            JobRunner jobs,
            Installation installation,
            Console console) {
        this.suites = suites;
        this.cluster = cluster;
        this.agents = agents;
        this.jobs = jobs;
        this.installation = installation;
        this.console = console;
    }

    QueryComparison run(QuerySet set, QueryChoice choice, String scale) {
        RunDirectory run = cluster.run();
        Path tables = run.directory("tables").resolve(set.label());
        Path queries = run.directory("queries/" + set.label());
        set.unpack(suites, choice, queries);
        console.line(set.label() + ": making the tables at scale " + scale);
        jobs.runLocally(new JobSpec(
                set.label() + "-tables",
                PACKAGE + "QueryTables",
                List.of(set.label(), scale, FILES, tables.toString()),
                TableGenerators.settings(installation)));
        Inputs inputs = new Inputs(set, tables, queries);
        QueryAnswers stock = answers(inputs, ShuffleVariant.STOCK, "");
        QueryAnswers ours = answers(inputs, ShuffleVariant.BOLTSHUFFLE, "");
        List<String> differing = stock.differingIn(ours);
        List<String> unrepeatable =
                differing.isEmpty() ? List.of() : stock.differingIn(answers(inputs, ShuffleVariant.STOCK, "-again"));
        ExecutorMetrics metrics = ExecutorMetrics.read(metrics(inputs, ShuffleVariant.BOLTSHUFFLE));
        QueryComparison comparison = new QueryComparison(
                set.label(),
                stock.byQuery().size(),
                stock.failed(),
                differing.stream()
                        .filter(query -> !unrepeatable.contains(query))
                        .toList(),
                differing.stream().filter(unrepeatable::contains).toList(),
                metrics.total("boltshuffle.bytes.rdma"),
                metrics.total("boltshuffle.bytes.netty"));
        console.line(comparison.summary());
        return comparison;
    }

    private record Inputs(QuerySet set, Path tables, Path queries) {}

    private QueryAnswers answers(Inputs inputs, ShuffleVariant variant, String repetition) {
        String name = inputs.set().label() + "-" + variant.label() + repetition;
        console.line(inputs.set().label() + ": running the queries with " + variant.label());
        Path results = cluster.run().directory("results").resolve(name);
        jobs.runOn(
                cluster,
                new JobSpec(
                        name,
                        PACKAGE + "QueryRun",
                        List.of(
                                inputs.set().label(),
                                inputs.tables().toString(),
                                inputs.queries().toString(),
                                results.toString()),
                        settings(inputs, variant)));
        return QueryAnswers.read(results);
    }

    /**
     * Returns the settings. Spark would broadcast tables this small, and read the rest in one task, so that little
     * would cross the network.
     */
    private Map<String, String> settings(Inputs inputs, ShuffleVariant variant) {
        Map<String, String> settings =
                new HashMap<>(variant.settings(cluster.runtime().line(), installation.pluginJar()));
        if (variant == ShuffleVariant.BOLTSHUFFLE) {
            settings.putAll(agents.settings());
        }
        ExecutorMetrics.settings(metrics(inputs, variant))
                .forEach((key, value) -> settings.merge(key, value, (plugin, other) -> plugin + "," + other));
        settings.merge(
                "spark.jars",
                TableGenerators.settings(installation).getOrDefault("spark.jars", ""),
                (ours, generators) -> ours + "," + generators);
        settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
        settings.put("spark.sql.adaptive.coalescePartitions.minPartitionSize", "16k");
        settings.put("spark.sql.shuffle.partitions", FILES);
        return settings;
    }

    private Path metrics(Inputs inputs, ShuffleVariant variant) {
        return cluster.run().directory("metrics/" + inputs.set().label() + "-" + variant.label());
    }
}
