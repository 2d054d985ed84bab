package io.boltshuffle.agent.cable;

import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Linux: link-local addresses in the neighbour table of the interface behind a port; ports without IPv4 pair by them.
 */
final class LinkLocalNeighbours implements PortSurvey {

    private static final Logger LOG = LoggerFactory.getLogger(LinkLocalNeighbours.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final List<String> TABLE = List.of("ip", "-6", "neigh");

    /** Entries that were never answered, FAILED and INCOMPLETE, have no {@code lladdr}. */
    private static final Pattern ENTRY = Pattern.compile("(?m)^(fe80:[0-9a-f:]+) dev (\\S+) lladdr ");

    private final Commands commands;
    private final Path devices;

    LinkLocalNeighbours(Commands commands, Path devices) {
        this.commands = commands;
        this.devices = devices;
    }

    @Override
    public View look() {
        Map<String, List<Opaque>> byInterface = new HashMap<>();
        Matcher entry = ENTRY.matcher(commands.output(PATIENCE, TABLE));
        while (entry.find()) {
            List<Opaque> seen = byInterface.computeIfAbsent(entry.group(2), name -> new ArrayList<>());
            if (seen.size() < WireLimits.MAX_NEIGHBOURS) {
                address(entry.group(1)).ifPresent(seen::add);
            }
        }
        return port -> new Behind("", "", byInterface.getOrDefault(interfaceOf(port), List.of()));
    }

    /** Returns the network interface of the first entry of the port's GID table; empty for a port without one. */
    private String interfaceOf(PortName port) {
        Path file = devices.resolve(port.device()).resolve("ports/" + port.port() + "/gid_attrs/ndevs/0");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            LOG.debug("{} has no interface: {}", port, e.toString());
            return "";
        }
    }

    private static Optional<Opaque> address(String text) {
        try {
            return Optional.of(Opaque.of(InetAddress.getByName(text).getAddress()));
        } catch (UnknownHostException e) {
            LOG.debug("not an address: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
