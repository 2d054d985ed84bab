package io.boltshuffle.proof.bench.compare;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.proof.bench.inspark.PieceSample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/**
 * A program of {@code io.boltshuffle.proof.bench.inspark} that takes a plan and writes {@link PieceSample}s.
 *
 * @param name unique in a run
 * @param plan a record, which the program reads from a file
 * @param settings beside those of the shuffle and of the contender
 */
public record Application(String name, String program, Record plan, Map<String, String> settings) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Runs the application once, and prints what it measured, because the whole comparison may take an hour longer.
     *
     * @param title of a piece's comparison, by the piece's own name; pieces with one title are samples of the same
     */
    public List<Measured> run(JoinedCluster cluster, Contender contender, UnaryOperator<String> title) {
        Path directory = cluster.run().directory().directory("bench/" + name);
        Path plans = directory.resolve("plan.json");
        Path results = directory.resolve("results.json");
        try {
            JSON.writeValue(plans.toFile(), plan);
            Map<String, String> all = new HashMap<>(settings);
            all.putAll(contender.settings());
            OptionalDouble rdmaShare = cluster.runProgram(
                    contender.shuffle(),
                    new JobSpec(
                            name,
                            "io.boltshuffle.proof.bench.inspark." + program,
                            List.of(plans.toString(), results.toString()),
                            all));
            List<Measured> measured =
                    JSON.readValue(results.toFile(), new TypeReference<List<PieceSample>>() {}).stream()
                            .map(sample -> new Measured(title.apply(sample.piece()), contender, sample, rdmaShare))
                            .toList();
            measured.forEach(each -> cluster.run().console().line("  " + each.summary()));
            return measured;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
