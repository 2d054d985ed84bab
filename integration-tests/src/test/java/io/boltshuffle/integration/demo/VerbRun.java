package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A verb that ran to its end over the virtual Thunderbolt, from a checkout, and left nothing in its work directory. */
record VerbRun(int exitCode, String out, String err) {

    /** Runs a verb in a directory whose path has a space, as users' directories may. */
    static VerbRun of(Path directory, List<String> words) throws Exception {
        return in(directory, "work with spaces", words);
    }

    /**
     * Runs a verb.
     *
     * @param place the name of the verb's own directory, which has to be empty in the end
     */
    static VerbRun in(Path directory, String place, List<String> words) throws Exception {
        Path work = Files.createDirectories(directory.resolve(place));
        List<String> arguments = new ArrayList<>(words);
        arguments.addAll(List.of("--json", "--emulator", BuiltCheckout.EMULATOR, "--work-dir", work.toString()));
        ProcessBuilder command = UnpackedBolt.command(
                BuiltCheckout.in(directory.resolve("a bolt")).launcher(), arguments.toArray(String[]::new));
        VerbRun run;
        try (RunningBolt verb = RunningBolt.start(command, directory, work)) {
            run = new VerbRun(verb.exitCode(), verb.out(), verb.err());
        }
        assertThat(work).as(run.err()).isEmptyDirectory();
        return run;
    }

    /** Returns what it printed. */
    JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out);
    }
}
