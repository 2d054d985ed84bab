package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Sorts rows of 100 bytes by key, and validates them as TeraValidate does. */
record TeraSortWorkload(Path data, Sizing sizing) implements Workload {
    @Override
    public String name() {
        return DemoJob.TERASORT.toString();
    }

    @Override
    public JobSpec input() {
        return JobSpec.example(
                "terasort-input",
                "TeraGen",
                List.of(Long.toString(sizing.rows()), Integer.toString(sizing.partitions()), path("input")),
                Map.of());
    }

    @Override
    public JobSpec job(ShuffleVariant variant, Map<String, String> settings) {
        return JobSpec.example(
                "terasort-" + variant.label(),
                "TeraSort",
                List.of(path("input"), path(variant.label()), Integer.toString(sizing.partitions())),
                settings);
    }

    @Override
    public JobSpec check() {
        return JobSpec.example(
                "terasort-check",
                "TeraValidate",
                List.of(path("input"), path(ShuffleVariant.STOCK.label()), path(ShuffleVariant.BOLTSHUFFLE.label())),
                Map.of());
    }

    /** Returns a plain path, not a URI, because Hadoop takes the escapes of a URI for part of the name. */
    private String path(String directory) {
        return data.resolve("terasort").resolve(directory).toString();
    }
}
