package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.topology.InvalidTopologyException;
import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Who is cabled to whom, if a file was given that says it. */
final class TopologyFile {

    private TopologyFile() {}

    /** @throws IOException if the file cannot be read or is not an MLX hostfile */
    static Optional<Topology> read(Settings settings) throws IOException {
        String name = settings.get(Options.AGENT_TOPOLOGY_FILE);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(name);
        try {
            return Optional.of(MlxHostfile.parse(Files.readString(file), name).topology());
        } catch (InvalidTopologyException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
