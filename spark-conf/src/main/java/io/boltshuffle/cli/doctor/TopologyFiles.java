package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.topology.DeviceMatrix;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.InvalidTopologyException;
import io.boltshuffle.topology.MlxDeviceFile;
import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;

/** Reads a topology in either MLX format. */
final class TopologyFiles {

    private TopologyFiles() {}

    /**
     * Reads a file. A device file names no hosts; they are called rank0, rank1 and so on.
     *
     * @param option the option that named the file
     */
    static Topology read(String option, Path file) {
        String text = TextFiles.read(option, file);
        try {
            if (!MlxDeviceFile.isMeantBy(text)) {
                return MlxHostfile.parse(text, file.toString()).topology();
            }
            DeviceMatrix matrix = MlxDeviceFile.parse(text, file.toString());
            return matrix.toTopology(IntStream.range(0, matrix.size())
                    .mapToObj(rank -> new Host("rank" + rank))
                    .toList());
        } catch (InvalidTopologyException e) {
            throw BoltException.usage(Objects.toString(e.getMessage()));
        }
    }
}
