package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Commands of a checkout for the one cluster that its user may have, whose temporary files are in a directory of its
 * own.
 *
 * <p><b>Ownership:</b> call {@link #stop}, whatever happened.
 */
final class ClusterCommands {
    private final BuiltCheckout checkout;
    private final Path temporary;

    ClusterCommands(BuiltCheckout checkout) throws IOException {
        this.checkout = checkout;
        // The path of a socket is short.
        this.temporary = Files.createTempDirectory("bt");
    }

    /** The output of a command. */
    record Said(String out, String err) {}

    /** Runs commands, which have to end with {@code exitCode}. */
    Said run(int exitCode, String commands) throws Exception {
        try (RunningBolt shell = checkout.paste(commands, temporary)) {
            assertThat(shell.exitCode()).as("%s%n%s", commands, shell.err()).isEqualTo(exitCode);
            return new Said(shell.out(), shell.err());
        }
    }

    /** Returns what {@code bolt cluster status --json} prints, which has to end with {@code exitCode}. */
    JsonNode status(int exitCode) throws Exception {
        return new ObjectMapper()
                .readTree(run(exitCode, "bolt cluster status --json").out());
    }

    /** The temporary files of the JVMs of commands and cluster are here. */
    Path temporary() {
        return temporary;
    }

    /** Stops the cluster, and fails if it leaves a file. */
    void stop() throws Exception {
        run(0, "bolt cluster stop");
        Files.delete(temporary); // fails if something is in it
    }
}
