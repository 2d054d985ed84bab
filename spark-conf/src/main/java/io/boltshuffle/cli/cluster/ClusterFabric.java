package io.boltshuffle.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Says what joins the hosts of a cluster. */
public interface ClusterFabric {

    /** The file with the cables of the virtual Thunderbolt, in {@link #directory}. */
    String TOPOLOGY = "topology";

    /** Returns where the files are that hosts so joined read. */
    static Path directory(RunDirectory run, List<String> hosts, String label) {
        return run.directory("fabric-" + hosts.size() + "-" + label);
    }

    /** Returns a short name, for files and logs. */
    String label();

    /** Joins hosts, and writes to {@code directory} what their agents read besides the hostfile. */
    Joints join(List<String> hosts, Path directory) throws IOException;

    /**
     * The settings that tell agents how their hosts are joined.
     *
     * @param hostfile in MLX's format
     * @param environments of the agents, in the order of the hosts
     */
    record Joints(
            String hostfile,
            Map<String, String> settings,
            List<Map<String, String>> environments,
            @Nullable VirtualCables cables) {}

    /** Returns virtual cables between any two hosts. */
    static ClusterFabric virtual(Path emulator, Cabling cabling) {
        return new Virtual(emulator, cabling);
    }

    /**
     * Virtual Thunderbolt.
     *
     * @param emulator its library
     */
    record Virtual(Path emulator, Cabling cabling) implements ClusterFabric {
        @Override
        public String label() {
            return cabling.label();
        }

        @Override
        public Joints join(List<String> hosts, Path directory) throws IOException {
            FullMesh mesh = new FullMesh(hosts, cabling.cablesPerPair());
            List<String> lines = new ArrayList<>(cabling.kind().topology());
            lines.addAll(mesh.statements(cabling.bytesPerSecond()));
            Path topology = Files.write(directory.resolve(TOPOLOGY), lines);
            List<Map<String, String>> environments = IntStream.range(0, hosts.size())
                    .mapToObj(
                            host -> Map.of("BOLT_VTB_TOPOLOGY", topology.toString(), "BOLT_VTB_HOST", mesh.name(host)))
                    .toList();
            return new Joints(
                    mesh.hostfile(),
                    Map.of(
                            "spark.boltshuffle.agent.verbsLibrary",
                            emulator.toAbsolutePath().toString()),
                    environments,
                    new VirtualCables(emulator, topology, mesh.cables()));
        }
    }
}
