package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program over TPC-H tables. The output of the plugin's run has to equal that of stock Spark, row by row.
 *
 * @param program in {@code io.boltshuffle.examples}; takes the tables and an output
 */
record TablesWorkload(DemoJob job, String program, Path data, Sizing sizing, Map<String, String> generatorSettings)
        implements Workload {
    @Override
    public String name() {
        return job.toString();
    }

    @Override
    public JobSpec input() {
        return JobSpec.example(
                "tables",
                "TpchGen",
                List.of(sizing.tpchScale(), Integer.toString(sizing.cores() * 2), tables()),
                generatorSettings);
    }

    /**
     * Returns the job with broadcasts off and small partitions. At this size Spark would broadcast most joins, and read
     * the rest in one task, so that little would cross the network.
     */
    @Override
    public JobSpec job(ShuffleVariant variant, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("spark.sql.autoBroadcastJoinThreshold", "-1");
        all.put("spark.sql.adaptive.coalescePartitions.minPartitionSize", "64k");
        all.put("spark.sql.shuffle.partitions", Integer.toString(sizing.partitions() * 2));
        return JobSpec.example(name() + "-" + variant.label(), program, List.of(tables(), output(variant)), all);
    }

    @Override
    public JobSpec check() {
        return JobSpec.example(
                name() + "-check",
                "CompareTables",
                List.of(output(ShuffleVariant.STOCK), output(ShuffleVariant.BOLTSHUFFLE)),
                Map.of());
    }

    private String tables() {
        return data.resolve("tables").toString();
    }

    private String output(ShuffleVariant variant) {
        return data.resolve(name()).resolve(variant.label()).toString();
    }
}
