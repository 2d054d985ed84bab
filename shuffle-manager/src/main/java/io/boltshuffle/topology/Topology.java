package io.boltshuffle.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds hosts in rank order and the cables between them.
 *
 * <p><b>Invariant:</b> host names are unique, every cable joins two listed hosts, no port is used twice, and no pair
 * has more than {@link TopologyLimits#MAX_CABLES_PER_PAIR} cables. The order of several cables of a pair is kept,
 * because the MLX formats match their two ends by it.
 */
public record Topology(List<Host> hosts, List<Cable> cables) {

    /** The names of two hosts, in rank order. */
    public record Pair(String first, String second) {}

    /** @throws InvalidTopologyException if the invariant does not hold */
    public Topology {
        hosts = List.copyOf(hosts);
        cables = List.copyOf(cables);
        checkHosts(hosts);
        checkCables(hosts, cables);
    }

    /** Returns the rank of a host, or -1 if it is not part of this topology. */
    public int rank(String host) {
        for (int rank = 0; rank < hosts.size(); rank++) {
            if (hosts.get(rank).name().equals(host)) {
                return rank;
            }
        }
        return -1;
    }

    /** Returns the host that has this name or this address. */
    public Optional<Host> find(String nameOrAddress) {
        return hosts.stream()
                .filter(host ->
                        host.name().equals(nameOrAddress) || host.addresses().contains(nameOrAddress))
                .findFirst();
    }

    /** Returns the cables of a pair, each with {@code from}'s port as {@link Cable#near()}. */
    public List<Cable> cables(String from, String to) {
        return cables.stream()
                .filter(cable -> cable.joins(from, to))
                .map(cable -> cable.from(from))
                .toList();
    }

    /** Returns the cable in a port, with that port as {@link Cable#near()}. */
    public Optional<Cable> cableAt(Port port) {
        return cables.stream()
                .filter(cable -> cable.near().equals(port) || cable.far().equals(port))
                .map(cable -> cable.from(port.host()))
                .findFirst();
    }

    /** Returns the pairs that have to use TCP, in rank order. */
    public List<Pair> pairsWithoutCable() {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            for (int j = i + 1; j < hosts.size(); j++) {
                Pair pair = new Pair(hosts.get(i).name(), hosts.get(j).name());
                if (cables(pair.first(), pair.second()).isEmpty()) {
                    pairs.add(pair);
                }
            }
        }
        return pairs;
    }

    private static void checkHosts(List<Host> hosts) {
        if (hosts.size() > TopologyLimits.MAX_HOSTS) {
            throw new InvalidTopologyException("hosts", hosts.size() + " hosts", "at most " + TopologyLimits.MAX_HOSTS);
        }
        Set<String> names = new HashSet<>();
        for (Host host : hosts) {
            if (!names.add(host.name())) {
                throw new InvalidTopologyException("hosts", "host " + host.name() + " twice", "each host once");
            }
        }
    }

    private static void checkCables(List<Host> hosts, List<Cable> cables) {
        Set<String> names = new HashSet<>();
        hosts.forEach(host -> names.add(host.name()));
        Map<Port, Cable> cableOfPort = new HashMap<>();
        Map<Set<String>, Integer> cablesOfPair = new HashMap<>();
        for (Cable cable : cables) {
            for (Port port : List.of(cable.near(), cable.far())) {
                if (!names.contains(port.host())) {
                    throw new InvalidTopologyException(
                            "cable " + cable, "unknown host " + port.host(), "one of " + names);
                }
                Cable other = cableOfPort.putIfAbsent(port, cable);
                if (other != null) {
                    throw new InvalidTopologyException(
                            "cable " + cable, port + " is already used by " + other, "one cable for each port");
                }
            }
            Set<String> pair = Set.of(cable.near().host(), cable.far().host());
            if (cablesOfPair.merge(pair, 1, Integer::sum) > TopologyLimits.MAX_CABLES_PER_PAIR) {
                throw new InvalidTopologyException(
                        "cable " + cable,
                        "too many cables between two hosts",
                        "at most " + TopologyLimits.MAX_CABLES_PER_PAIR);
            }
        }
    }
}
