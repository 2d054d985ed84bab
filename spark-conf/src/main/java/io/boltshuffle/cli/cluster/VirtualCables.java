package io.boltshuffle.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ShortCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The virtual cables of a cluster, and the means to cause faults on them: docs/virtual-thunderbolt.md#faults.
 *
 * @param emulator library of the virtual Thunderbolt; its control program is beside it
 * @param names of all cables
 */
public record VirtualCables(Path emulator, Path topology, List<String> names) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Gives every cable the same command, such as {@code pull silent}. */
    public void all(String... words) {
        names.forEach(cable -> one(cable, words));
    }

    /** Tells a cable something, such as {@code pull silent}. */
    public void one(String cable, String... words) {
        List<String> command = new ArrayList<>(List.of("cable", cable));
        command.addAll(List.of(words));
        control(command);
    }

    /** Returns the state and the counters of every cable. */
    public JsonNode statistics() {
        return parse(control(List.of("stats")));
    }

    /** Returns the number of frames that were damaged on purpose so far, in both directions. */
    public long corruptedFrames() {
        return corruptedFrames(statistics());
    }

    static long corruptedFrames(JsonNode statistics) {
        long frames = 0;
        for (JsonNode cable : statistics.path("cables")) {
            for (JsonNode direction : cable.path("directions")) {
                frames += direction.path("corrupted").asLong();
            }
        }
        return frames;
    }

    static JsonNode parse(String statistics) {
        try {
            return new ObjectMapper().readTree(statistics);
        } catch (IOException e) {
            throw new IllegalStateException("the statistics of the virtual Thunderbolt are no JSON", e);
        }
    }

    private String control(List<String> words) {
        Path program = emulator.resolveSibling("vtbctl");
        if (!Files.isExecutable(program)) {
            throw BoltException.environment(
                    "there is no " + program,
                    "give the library of a checkout or of a released archive, where it is beside its control program");
        }
        List<String> command = new ArrayList<>(List.of(program.toString(), topology.toString()));
        command.addAll(words);
        return ShortCommand.run(LIMIT, command);
    }
}
