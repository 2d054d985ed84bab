package io.boltshuffle.proof.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import io.boltshuffle.proof.bench.inspark.write.WritePlan;
import io.boltshuffle.proof.bench.inspark.write.WriteSample;
import io.boltshuffle.proof.bench.inspark.write.WriterKind;
import io.boltshuffle.proof.bench.report.MachineState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs the program that writes, in a process for each round and writer: how well the JVM compiles a program differs
 * from process to process, by more than the writers do.
 */
final class WriteBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESULTS = ".results.json";

    private final ClusterRun run;
    private final MachineState before = MachineState.now();
    private final Path directory;

    WriteBenchmark(ClusterRun run) {
        this.run = run;
        this.directory = run.directory().directory("bench/write");
    }

    /**
     * Measures in rounds. The writers take turns at being first.
     *
     * @param plan what each writer's process does
     * @param memory of the process's heap, as Java writes it
     */
    Report run(Function<WriterKind, WritePlan> plan, int rounds, String memory) {
        WriterKind[] kinds = WriterKind.values();
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < kinds.length; turn++) {
                measure("round-" + (round + 1), plan.apply(kinds[(turn + round) % kinds.length]), memory);
            }
        }
        return report();
    }

    private void measure(String round, WritePlan plan, String memory) {
        String name = round + "-" + plan.writer().name().toLowerCase(Locale.ROOT);
        Path file = directory.resolve(name + ".plan.json");
        try {
            JSON.writeValue(file.toFile(), plan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ShuffleVariant variant = plan.writer() == WriterKind.OURS ? ShuffleVariant.BOLTSHUFFLE : ShuffleVariant.STOCK;
        Map<String, String> settings = new HashMap<>(
                variant.settings(run.runtime().line(), run.installation().pluginJar()));
        settings.put("spark.driver.memory", memory);
        // Tasks run in this driver: it gets the compiler and the collector of an executor.
        settings.put("spark.driver.extraJavaOptions", run.directory().temporaryFilesOption());
        JobRunner.of(run)
                .runLocally(new JobSpec(
                        "bench-write-" + name,
                        "io.boltshuffle.proof.bench.inspark.write.WriteBench",
                        List.of(
                                file.toString(),
                                directory.resolve(name + RESULTS).toString()),
                        settings));
    }

    /** Returns what has been measured until now. Any thread may ask while a program runs. */
    Optional<Report> soFar() {
        return samples().isEmpty() ? Optional.empty() : Optional.of(report());
    }

    private Report report() {
        return WriteCase.report(run.runtime().release(), before, samples());
    }

    private List<WriteSample> samples() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(RESULTS))
                    .sorted()
                    .flatMap(file -> samples(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<WriteSample> samples(Path results) {
        try {
            return JSON.readValue(results.toFile(), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
