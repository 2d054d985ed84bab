package io.boltshuffle.agent.cable;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.DeviceName;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.InvalidTopologyException;
import io.boltshuffle.topology.MlxDeviceFile;
import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.topology.TopologyLimits;
import io.boltshuffle.wire.HostName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads which hosts are cabled to each other, if a file says so, in either of MLX's formats. */
public final class TopologyFile {

    /** A character takes up to four. */
    private static final long MAX_FILE_BYTES = 4L * TopologyLimits.MAX_FILE_CHARS;

    private TopologyFile() {}

    /**
     * @throws IOException if the file cannot be read, is neither a hostfile nor a device file with known hosts, or
     *     names a device that the user does not let agents use
     */
    public static Optional<Topology> read(Settings settings) throws IOException {
        String name = settings.get(Options.AGENT_TOPOLOGY_FILE);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(name);
        long bytes = Files.size(file);
        if (bytes > MAX_FILE_BYTES) {
            throw new IOException(name + " has " + bytes + " bytes; a topology has at most " + MAX_FILE_BYTES);
        }
        String text = Files.readString(file);
        try {
            Topology read = MlxDeviceFile.isMeantBy(text)
                    ? MlxDeviceFile.parse(text, name).toTopology(hosts(settings, name))
                    : MlxHostfile.parse(text, name).topology();
            checkProviders(read, settings, name);
            return Optional.of(plain(read));
        } catch (InvalidTopologyException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void checkProviders(Topology read, Settings settings, String file) throws IOException {
        Optional<DeviceName> other = read.cables().stream()
                .flatMap(cable -> Stream.of(cable.near().device(), cable.far().device()))
                .filter(device -> !device.isThunderbolt())
                .findFirst();
        if (other.isPresent() && !settings.get(Options.AGENT_OTHER_PROVIDERS)) {
            throw new IOException(file + " names " + other.get() + ", a device of another provider than Apple's: set "
                    + Options.AGENT_OTHER_PROVIDERS.key() + "=true if agents shall use it");
        }
    }

    /** Returns the same with hosts spelled as agents spell them. */
    private static Topology plain(Topology read) {
        return new Topology(
                read.hosts().stream()
                        .map(host -> new Host(
                                HostName.plain(host.name()),
                                host.addresses().stream()
                                        .map(HostName::plain)
                                        .distinct()
                                        .toList()))
                        .toList(),
                read.cables().stream()
                        .map(cable -> new Cable(plain(cable.near()), plain(cable.far())))
                        .toList());
    }

    private static Port plain(Port port) {
        return new Port(HostName.plain(port.host()), port.device());
    }

    private static List<Host> hosts(Settings settings, String file) throws IOException {
        String names = settings.get(Options.AGENT_TOPOLOGY_HOSTS);
        if (names.isEmpty()) {
            throw new IOException(file + " is a device file, which names no hosts: list them in "
                    + Options.AGENT_TOPOLOGY_HOSTS.key());
        }
        return Arrays.stream(names.split(",", -1))
                .map(host -> new Host(host.strip()))
                .toList();
    }
}
