package io.boltshuffle.agent.cable;

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
 * Decides which port of this host faces which port of the peer: by the topology file if there is one, else by the facts
 * that the ports tell of themselves. Device names say nothing: they differ between hosts and change.
 *
 * <p>The first kind of evidence that joins any two ports decides for all of them. A Thunderbolt port that knows its
 * cable to lead elsewhere must not be joined because somebody gave it an address in the peer's network. That a card
 * beside Thunderbolt does not know its cable says nothing, so that ports of Thunderbolt and others are looked at apart.
 */
public final class Pairing {

    private static final int FIRST_PORT = 1;
    private static final int GID_BYTES = 16;

    /** Networks between two ports are made for two; a /24 is the widest that tells cables apart. */
    private static final int NETWORK_BYTES = GID_BYTES - 1;

    private static final int SUBNET_PREFIX_BYTES = 8;
    private static final String THUNDERBOLT = "THUNDERBOLT";
    private static final String INFINIBAND = "INFINIBAND";

    /** Tests that two ports are joined, the most certain first. */
    private static final List<BiPredicate<PortFacts, PortFacts>> EVIDENCE =
            List.of(Pairing::attachedToEachOther, Pairing::onOneNetwork, Pairing::inOneSubnet, Pairing::neighbours);

    private final String here;
    private final String there;
    private final Optional<Topology> topology;

    public Pairing(String here, String there, Optional<Topology> topology) {
        this.here = here;
        this.there = there;
        this.topology = topology;
    }

    /** The cables between the two, in an order that both ends would find. Empty if there is none. */
    public List<CablePair> cables(List<PortFacts> near, List<PortFacts> far) {
        if (topology.isPresent()) {
            return byTopology(topology.get(), names(near), names(far));
        }
        List<CablePair> cables = new ArrayList<>();
        for (boolean thunderbolt : List.of(true, false)) {
            List<PortFacts> ofNear = ofKind(near, thunderbolt);
            List<PortFacts> ofFar = ofKind(far, thunderbolt);
            EVIDENCE.stream()
                    .map(joined -> match(ofNear, ofFar, joined))
                    .filter(pairs -> !pairs.isEmpty())
                    .findFirst()
                    .ifPresent(cables::addAll);
        }
        return cables;
    }

    private static List<PortFacts> ofKind(List<PortFacts> ports, boolean thunderbolt) {
        return ports.stream()
                .filter(port -> port.linkLayer().equals(THUNDERBOLT) == thunderbolt)
                .toList();
    }

    /** Returns why {@link #cables} has none for these. */
    public String whyNone(List<PortFacts> near, List<PortFacts> far, String trouble) {
        return NoCable.explain(near, far, topology.isPresent(), trouble);
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

    /** Thunderbolt. One end's word is enough, as long as the other's does not contradict it. */
    private static boolean attachedToEachOther(PortFacts one, PortFacts other) {
        boolean oneSaysSo = isAttachedTo(one, other);
        boolean otherSaysSo = isAttachedTo(other, one);
        return (oneSaysSo || otherSaysSo)
                && (oneSaysSo || one.attachedDomain().isEmpty())
                && (otherSaysSo || other.attachedDomain().isEmpty());
    }

    private static boolean isAttachedTo(PortFacts one, PortFacts other) {
        return !other.domain().isEmpty() && one.attachedDomain().equals(other.domain());
    }

    /** RoCE, and Thunderbolt ports with addresses: IPv4 networks in common. */
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

    static boolean isIpv4Mapped(byte[] gid) {
        for (int i = 0; i < 10; i++) {
            if (gid[i] != 0) {
                return false;
            }
        }
        return gid[10] == (byte) 0xff && gid[11] == (byte) 0xff;
    }

    /** InfiniBand: ports of one subnet reach each other, and its GIDs begin with the subnet's prefix. */
    private static boolean inOneSubnet(PortFacts one, PortFacts other) {
        return one.linkLayer().equals(INFINIBAND)
                && other.linkLayer().equals(INFINIBAND)
                && one.gids().stream().anyMatch(gid -> other.gids().stream().anyMatch(far -> inOneSubnet(gid, far)));
    }

    private static boolean inOneSubnet(Opaque one, Opaque other) {
        byte[] near = one.toBytes();
        byte[] far = other.toBytes();
        return Arrays.equals(near, 0, SUBNET_PREFIX_BYTES, far, 0, SUBNET_PREFIX_BYTES) && !Arrays.equals(near, far);
    }

    /** RoCE without IPv4: one of the two has the other in its neighbour table. */
    private static boolean neighbours(PortFacts one, PortFacts other) {
        return one.linkLayer().equals(other.linkLayer())
                && (one.neighbours().stream().anyMatch(other.gids()::contains)
                        || other.neighbours().stream().anyMatch(one.gids()::contains));
    }
}
