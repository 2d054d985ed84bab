package io.boltshuffle.proof.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.bench.write.WritePlan;
import io.boltshuffle.bench.write.WriteSample;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the program that writes, in one process. */
public final class WriteBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WriteBenchmark() {}

    public static WriteReport run(ClusterRun run, WritePlan plan, String memory) {
        MachineState before = MachineState.now();
        Path directory = run.directory().directory("bench/write");
        Path plans = directory.resolve("plan.json");
        Path results = directory.resolve("results.json");
        Map<String, String> settings = new HashMap<>(ShuffleVariant.BOLTSHUFFLE.settings(
                run.runtime().line(), run.installation().pluginJar()));
        settings.put("spark.driver.memory", memory);
        try {
            JSON.writeValue(plans.toFile(), plan);
            run.jobs()
                    .runLocally(new JobSpec(
                            "bench-write",
                            "io.boltshuffle.bench.write.WriteBench",
                            List.of(plans.toString(), results.toString()),
                            settings));
            return new WriteReport(before, JSON.readValue(results.toFile(), new TypeReference<List<WriteSample>>() {}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
