package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Agents of several users for the same two hosts, which have one cable. */
final class SharedCable {
    private SharedCable() {}

    /**
     * Makes one user's agents.
     *
     * @param directory of that user's
     * @param state the directory of the state of the cable, which all have
     */
    static AgentPair agents(Path directory, Path state) throws IOException {
        AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), Map.of());
        Files.write(
                agents.topologyFile(),
                List.of(
                        "profile apple",
                        "state " + state,
                        "host host0",
                        "host host1",
                        "cable c0-1 host0:en5 host1:en5"));
        return agents;
    }
}
