package io.boltshuffle.client;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.os.SystemCommand;
import io.boltshuffle.topology.mac.ThunderboltDevices;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Looks whether a cable leads from this host to another, for processes that would start an agent only for that. It
 * opens no device: it reads what the system shows of its ports.
 *
 * <p><b>Threads:</b> any; a look may take seconds on a Mac.
 */
final class CableProbe {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private CableProbe() {}

    /** Returns whether an agent could find a cable, also if a user's library or provider might have one. */
    static boolean mayExist(Settings settings) {
        if (!settings.get(Options.AGENT_VERBS_LIBRARY).isEmpty() || settings.get(Options.AGENT_OTHER_PROVIDERS)) {
            return true;
        }
        return switch (OperatingSystem.current()) {
            case LINUX -> hasActivePort(DEVICES);
            case MACOS -> leadsToAMac(SystemCommand.output(PATIENCE, ThunderboltDevices.PORTS));
            case UNKNOWN -> false;
        };
    }

    /** @param devices where Linux shows RDMA devices, each with the state of its ports */
    static boolean hasActivePort(Path devices) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
            for (Path device : all) {
                try (DirectoryStream<Path> ports = Files.newDirectoryStream(device.resolve("ports"))) {
                    for (Path port : ports) {
                        if (Files.readString(port.resolve("state")).contains("ACTIVE")) {
                            return true;
                        }
                    }
                }
            }
        } catch (IOException e) {
            return false; // there are no devices, or this process may not see them
        }
        return false;
    }

    /** @param ports what the Mac's system profiler says of its Thunderbolt ports */
    static boolean leadsToAMac(String ports) {
        return ThunderboltPort.parse(ports).stream()
                .anyMatch(port -> port.peer().isPresent());
    }
}
