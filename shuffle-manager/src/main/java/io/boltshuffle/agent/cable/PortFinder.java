package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at every port of every device of this host. Blocks; one thread at a time. */
final class PortFinder {

    private static final Logger LOG = LoggerFactory.getLogger(PortFinder.class);

    private final VerbsProvider provider;
    private final PortSurvey surroundings;

    PortFinder(VerbsProvider provider, PortSurvey surroundings) {
        this.provider = provider;
        this.surroundings = surroundings;
    }

    /**
     * The ports that are ACTIVE. A device that cannot be looked at is left out, with a line in the log.
     *
     * @throws VerbsException if there is no library, or it does not list its devices
     */
    List<PortFacts> findActive() throws VerbsException {
        List<PortFacts> found = new ArrayList<>();
        PortSurvey.View view = surroundings.look();
        for (String name : provider.deviceNames()) {
            try (Device device = provider.open(name)) {
                addActive(device, view, found);
            } catch (VerbsException e) {
                LOG.warn("device {} is left out: {}", name, e.getMessage());
            }
        }
        return found.size() <= WireLimits.MAX_PORTS ? found : found.subList(0, WireLimits.MAX_PORTS);
    }

    private static void addActive(Device device, PortSurvey.View view, List<PortFacts> found) throws VerbsException {
        int ports = device.limits().ports();
        for (int port = 1; port <= ports; port++) {
            PortAttributes attributes = device.queryPort(port);
            if (attributes.state() == PortState.ACTIVE) {
                List<Opaque> gids = device.gids(port).stream()
                        .limit(WireLimits.MAX_GIDS)
                        .map(entry -> Opaque.of(entry.gid().toBytes()))
                        .toList();
                PortName name = new PortName(device.name(), port);
                PortSurvey.Behind behind = view.port(name);
                found.add(new PortFacts(
                        name,
                        attributes.linkLayer().name(),
                        behind.domain(),
                        behind.attachedDomain(),
                        gids,
                        behind.neighbours()));
            }
        }
    }
}
