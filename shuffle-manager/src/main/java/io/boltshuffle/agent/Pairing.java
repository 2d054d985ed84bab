package io.boltshuffle.agent;

import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Which port of this host faces which port of the peer: by the topology file if there is one, else by the Thunderbolt domain
 * that each port says it is attached to, else by IPv4 networks in common. Device names say nothing: they differ between
 * hosts and change.
 */
final class Pairing {

    private static final int FIRST_PORT = 1;
    private static final int GID_BYTES = 16;

    /** Networks between two ports are made for two; a /24 is the widest that tells cables apart. */
    private static final int NETWORK_BYTES = GID_BYTES - 1;

    private final String here;
    private final String there;
    private final Optional<Topology> topology;

    Pairing(String here, String there, Optional<Topology> topology) {
        this.here = here;
        this.there = there;
        this.topology = topology;
    }

    /** The cables between the two, in an order that both ends would find. Empty if there is none. */
    List<CablePair> cables(List<PortFacts> near, List<PortFacts> far) {
        if (topology.isPresent()) {
            return byTopology(topology.get(), names(near), names(far));
        }
        List<CablePair> byDomain = match(near, far, Pairing::attachedToEachOther);
        return byDomain.isEmpty() ? match(near, far, Pairing::onOneNetwork) : byDomain;
    }

    private List<CablePair> byTopology(Topology known, List<PortName> near, List<PortName> far) {
        Optional<Host> from = known.find(here);
        Optional<Host> to = known.find(there);
        if (from.isEmpty() || to.isEmpty()) {
            return List.of();
        }
        return known.cables(from.get().name(), to.get().name()).stream()
                .map(cable -> new CablePair(
                        new PortName(cable.near().device().value(), FIRST_PORT),
                        new PortName(cable.far().device().value(), FIRST_PORT)))
                .filter(pair -> near.contains(pair.near()) && far.contains(pair.far()))
                .toList();
    }

    private static List<PortName> names(List<PortFacts> ports) {
        return ports.stream().map(PortFacts::name).toList();
    }

    /** Each port at most once, in the order of names. */
    private static List<CablePair> match(
            List<PortFacts> near, List<PortFacts> far, BiPredicate<PortFacts, PortFacts> joined) {
        List<PortFacts> free = new ArrayList<>(sorted(far));
        List<CablePair> pairs = new ArrayList<>();
        for (PortFacts port : sorted(near)) {
            Optional<PortFacts> other = free.stream()
                    .filter(candidate -> joined.test(port, candidate))
                    .findFirst();
            other.ifPresent(found -> {
                free.remove(found);
                pairs.add(new CablePair(port.name(), found.name()));
            });
        }
        return pairs;
    }

    private static List<PortFacts> sorted(List<PortFacts> ports) {
        return ports.stream()
                .sorted(Comparator.comparing((PortFacts port) -> port.name().device())
                        .thenComparing(port -> port.name().port()))
                .toList();
    }

    private static boolean attachedToEachOther(PortFacts one, PortFacts other) {
        return !one.domain().isEmpty()
                && !other.domain().isEmpty()
                && one.attachedDomain().equals(other.domain())
                && other.attachedDomain().equals(one.domain());
    }

    private static boolean onOneNetwork(PortFacts one, PortFacts other) {
        return one.linkLayer().equals(other.linkLayer())
                && one.gids().stream().anyMatch(gid -> other.gids().stream().anyMatch(far -> inOneNetwork(gid, far)));
    }

    private static boolean inOneNetwork(Opaque one, Opaque other) {
        byte[] near = one.toBytes();
        byte[] far = other.toBytes();
        return isIpv4Mapped(near)
                && Arrays.equals(near, 0, NETWORK_BYTES, far, 0, NETWORK_BYTES)
                && !Arrays.equals(near, far);
    }

    private static boolean isIpv4Mapped(byte[] gid) {
        for (int i = 0; i < 10; i++) {
            if (gid[i] != 0) {
                return false;
            }
        }
        return gid[10] == (byte) 0xff && gid[11] == (byte) 0xff;
    }
}
