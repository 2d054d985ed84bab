package io.boltshuffle.agent.cable;

import io.boltshuffle.conf.Options;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at every port of every device of this host. Blocks; one thread at a time. */
final class PortFinder {

    private static final Logger LOG = LoggerFactory.getLogger(PortFinder.class);

    private final VerbsProvider provider;
    private final PortSurvey surroundings;
    private final boolean otherProviders;
    private final Set<PortName> leftOut = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    /** @param otherProviders whether beside Thunderbolt devices others are used, too */
    PortFinder(VerbsProvider provider, PortSurvey surroundings, boolean otherProviders) {
        this.provider = provider;
        this.surroundings = surroundings;
        this.otherProviders = otherProviders;
    }

    /**
     * The ports that are ACTIVE. A device that cannot be looked at is left out, with a line in the log; so is one of
     * another provider than Apple's on a Mac, or where there are Thunderbolt devices, unless the user wants such.
     *
     * @throws VerbsException if there is no library, or it does not list its devices
     */
    List<PortFacts> findActive() throws VerbsException {
        List<PortFacts> found = new ArrayList<>();
        boolean isMac = OperatingSystem.current() == OperatingSystem.MACOS;
        PortSurvey.View view = surroundings.look();
        for (String name : provider.deviceNames()) {
            Optional<String> refusal = view.refusal(name);
            if (refusal.isPresent()) {
                if (refused.add(refusal.get())) {
                    LOG.warn("{}; it is left out", refusal.get());
                }
                continue;
            }
            try (Device device = provider.open(name)) {
                isMac |= addActive(device, view, found);
            } catch (VerbsException e) {
                LOG.warn("device {} is left out: {}", name, e.getMessage());
            }
        }
        if (isMac && !otherProviders) {
            found.removeIf(this::isOfAnotherProvider);
        }
        return found.size() <= WireLimits.MAX_PORTS ? found : found.subList(0, WireLimits.MAX_PORTS);
    }

    private boolean isOfAnotherProvider(PortFacts port) {
        if (port.linkLayer().equals(LinkLayer.THUNDERBOLT.name())) {
            return false;
        }
        if (leftOut.add(port.name())) {
            LOG.info(
                    "{} is left out, because its provider is not Apple's; {}=true lets this agent use it",
                    port.name(),
                    Options.AGENT_OTHER_PROVIDERS.key());
        }
        return true;
    }

    /** Returns whether the device has Thunderbolt ports. */
    private static boolean addActive(Device device, PortSurvey.View view, List<PortFacts> found) throws VerbsException {
        boolean thunderbolt = false;
        int ports = device.limits().ports();
        for (int port = 1; port <= ports; port++) {
            PortAttributes attributes = device.queryPort(port);
            thunderbolt |= attributes.linkLayer() == LinkLayer.THUNDERBOLT;
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
        return thunderbolt;
    }
}
