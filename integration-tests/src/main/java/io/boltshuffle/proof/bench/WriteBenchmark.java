package io.boltshuffle.proof.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.bench.write.WritePlan;
import io.boltshuffle.bench.write.WriteSample;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the program that writes, in one process. */
final class WriteBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ClusterRun run;
    private final MachineState before = MachineState.now();
    private final Path plans;
    private final Path results;

    WriteBenchmark(ClusterRun run) {
        this.run = run;
        Path directory = run.directory().directory("bench/write");
        this.plans = directory.resolve("plan.json");
        this.results = directory.resolve("results.json");
    }

    /** @param memory of the process's heap, as Java writes it */
    Report run(WritePlan plan, String memory) {
        Map<String, String> settings = new HashMap<>(ShuffleVariant.BOLTSHUFFLE.settings(
                run.runtime().line(), run.installation().pluginJar()));
        settings.put("spark.driver.memory", memory);
        try {
            JSON.writeValue(plans.toFile(), plan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run.jobs()
                .runLocally(new JobSpec(
                        "bench-write",
                        "io.boltshuffle.bench.write.WriteBench",
                        List.of(plans.toString(), results.toString()),
                        settings));
        return report();
    }

    /** Returns what has been measured until now. Any thread may ask while the program runs. */
    Optional<Report> soFar() {
        return Files.exists(results) ? Optional.of(report()) : Optional.empty();
    }

    private Report report() {
        try {
            return WriteCase.report(
                    run.runtime().release(),
                    before,
                    JSON.readValue(results.toFile(), new TypeReference<List<WriteSample>>() {}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
