package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Rows of 100 bytes sorted by key, validated as TeraValidate does. */
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
                List.of(Long.toString(sizing.rows()), Integer.toString(sizing.partitions()), uri("input")),
                Map.of());
    }

    @Override
    public JobSpec job(ShuffleVariant variant, Map<String, String> settings) {
        return JobSpec.example(
                "terasort-" + variant.label(),
                "TeraSort",
                List.of(uri("input"), uri(variant.label()), Integer.toString(sizing.partitions())),
                settings);
    }

    @Override
    public JobSpec check() {
        return JobSpec.example(
                "terasort-check",
                "TeraValidate",
                List.of(uri("input"), uri(ShuffleVariant.STOCK.label()), uri(ShuffleVariant.BOLTSHUFFLE.label())),
                Map.of());
    }

    private String uri(String directory) {
        return data.resolve("terasort").resolve(directory).toUri().toString();
    }
}
