package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Features out of TPC-H tables; what the plugin's run writes has to equal what stock Spark's wrote, row by row. */
record FeaturePrepWorkload(Path data, Sizing sizing, List<Path> generatorJars) implements Workload {
    @Override
    public String name() {
        return DemoJob.FEATURE_PREP.toString();
    }

    /** The generator's own guava goes before Spark's: that of Spark 3.5 is too old for it. */
    @Override
    public JobSpec input() {
        return JobSpec.example(
                "feature-prep-input",
                "TpchGen",
                List.of(sizing.tpchScale(), Integer.toString(sizing.cores() * 2), path("input")),
                Map.of(
                        "spark.jars",
                        generatorJars.stream().map(Path::toString).collect(Collectors.joining(",")),
                        "spark.driver.userClassPathFirst",
                        "true",
                        "spark.executor.userClassPathFirst",
                        "true"));
    }

    /** At this size Spark would broadcast most joins, and read the rest in one task: then little crosses the network. */
    @Override
    public JobSpec job(ShuffleVariant variant, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("spark.sql.autoBroadcastJoinThreshold", "-1");
        all.put("spark.sql.adaptive.coalescePartitions.minPartitionSize", "64k");
        all.put("spark.sql.shuffle.partitions", Integer.toString(sizing.partitions() * 2));
        return JobSpec.example(
                "feature-prep-" + variant.label(), "FeaturePrep", List.of(path("input"), path(variant.label())), all);
    }

    @Override
    public JobSpec check() {
        return JobSpec.example(
                "feature-prep-check",
                "CompareTables",
                List.of(path(ShuffleVariant.STOCK.label()), path(ShuffleVariant.BOLTSHUFFLE.label())),
                Map.of());
    }

    private String path(String directory) {
        return data.resolve("feature-prep").resolve(directory).toString();
    }
}
