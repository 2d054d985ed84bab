package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.topology.mac.ThunderboltPeer;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cables between given hosts, and the cables that lead from them to other Macs.
 *
 * @param links in the order of hosts and their receptacles
 * @param outside ends whose cable leads to a Mac that is not among the hosts
 */
public record Fabric(List<HostFacts> hosts, List<DiscoveredCable> links, List<CableEnd> outside) {

    /** Two hosts, in the order they were given. */
    public record Pair(String first, String second) {
        @Override
        public String toString() {
            return first + " and " + second;
        }
    }

    public Fabric {
        hosts = List.copyOf(hosts);
        links = List.copyOf(links);
        outside = List.copyOf(outside);
    }

    /**
     * Joins ports whose domain UUID another port names as its peer. For a cable it is enough that one end names the
     * other.
     */
    public static Fabric discover(List<HostFacts> hosts) {
        Map<String, CableEnd> endOfDomain = new HashMap<>();
        List<CableEnd> ends = new ArrayList<>();
        for (HostFacts host : hosts) {
            for (ThunderboltPort port : host.thunderboltPorts()) {
                CableEnd end = new CableEnd(host, port);
                endOfDomain.putIfAbsent(port.domainUuid(), end);
                ends.add(end);
            }
        }
        List<DiscoveredCable> links = new ArrayList<>();
        List<CableEnd> outside = new ArrayList<>();
        Map<CableEnd, DiscoveredCable> linkOfEnd = new HashMap<>();
        for (CableEnd end : ends) {
            Optional<ThunderboltPeer> peer = end.port().peer();
            if (peer.isEmpty()) {
                continue;
            }
            CableEnd other = endOfDomain.get(peer.get().domainUuid());
            if (other == null) {
                outside.add(end);
            } else if (!other.host().equals(end.host())
                    && !linkOfEnd.containsKey(end)
                    && !linkOfEnd.containsKey(other)) {
                DiscoveredCable link = new DiscoveredCable(end, other);
                links.add(link);
                linkOfEnd.put(end, link);
                linkOfEnd.put(other, link);
            }
        }
        return new Fabric(hosts, links, outside);
    }

    public List<DiscoveredCable> links(Pair pair) {
        return links.stream()
                .filter(link -> link.joins(pair.first(), pair.second()))
                .toList();
    }

    public List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            for (int j = i + 1; j < hosts.size(); j++) {
                pairs.add(new Pair(hosts.get(i).host(), hosts.get(j).host()));
            }
        }
        return pairs;
    }

    public List<Pair> pairsWithoutCable() {
        return pairs().stream().filter(pair -> links(pair).isEmpty()).toList();
    }

    /** Returns the ends of cables on a host, to known hosts and to others. */
    public List<CableEnd> endsOf(HostFacts host) {
        List<CableEnd> ends = new ArrayList<>();
        links.forEach(link -> ends.addAll(link.ends()));
        ends.addAll(outside);
        return ends.stream().filter(end -> end.host().equals(host.host())).toList();
    }

    /** Returns the fast ports of a host with nothing in them. */
    public List<ThunderboltPort> freePorts(HostFacts host) {
        return host.thunderboltPorts().stream()
                .filter(port -> !port.connected() && port.isFast())
                .toList();
    }

    /**
     * Returns the cables as a pure value: cables with an interface at both ends, hosts with their control address. If a
     * host claims one interface for two ports, its report is not understood, and the interface is used once.
     */
    public Topology toTopology() {
        List<Cable> cables = new ArrayList<>();
        Set<Port> used = new HashSet<>();
        for (DiscoveredCable link : links) {
            Optional<Port> near = link.near().topologyPort().filter(port -> !used.contains(port));
            Optional<Port> far = link.far().topologyPort().filter(port -> !used.contains(port));
            if (near.isPresent() && far.isPresent()) {
                cables.add(new Cable(near.get(), far.get()));
                used.add(near.get());
                used.add(far.get());
            }
        }
        return new Topology(hosts.stream().map(Fabric::topologyHost).toList(), cables);
    }

    private static Host topologyHost(HostFacts facts) {
        List<String> cabled = List.copyOf(facts.hardwarePorts().entrySet().stream()
                .filter(port -> port.getKey().startsWith("Thunderbolt"))
                .map(Map.Entry::getValue)
                .toList());
        return new Host(
                facts.host(),
                facts.controlAddress(cabled).map(Ipv4Network::dotted).stream().toList());
    }
}
