package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.NetworkInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks Thunderbolt Bridge, which joins all ports of a Mac into one network without a spanning tree. In a ring of
 * cables it sends broadcasts for ever, and a port without an address of its own belongs to the bridge instead of to
 * RDMA.
 */
final class BridgeCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        loop(cluster).ifPresent(findings::add);
        for (CableEnd end : cluster.cableEnds()) {
            if (isInTheWay(end)) {
                findings.add(inTheWay(end, cluster));
            }
        }
        return findings;
    }

    /** Returns whether the bridge has the port and nothing else makes the port reachable. */
    static boolean isInTheWay(CableEnd end) {
        return isBridged(end)
                && end.networkInterface()
                        .filter(NetworkInterface::hasAnyAddress)
                        .isEmpty();
    }

    private static boolean isBridged(CableEnd end) {
        return end.interfaceName()
                .filter(name -> bridges(end.facts()).stream()
                        .anyMatch(bridge -> bridge.members().contains(name)))
                .isPresent();
    }

    private static List<NetworkInterface> bridges(HostFacts host) {
        return host.interfaces().stream()
                .filter(one -> one.name().startsWith("bridge") && one.up())
                .toList();
    }

    /** Joins hosts along bridged cables. A cable between hosts that are already joined closes a loop. */
    private static Optional<Finding> loop(Cluster cluster) {
        Map<String, Set<String>> joined = new HashMap<>();
        for (DiscoveredCable link : cluster.fabric().links()) {
            if (!isBridged(link.near()) || !isBridged(link.far())) {
                continue;
            }
            Set<String> near =
                    joined.getOrDefault(link.near().host(), Set.of(link.near().host()));
            Set<String> far =
                    joined.getOrDefault(link.far().host(), Set.of(link.far().host()));
            Set<String> both = new TreeSet<>(near);
            both.addAll(far);
            if (near.contains(link.far().host())) {
                return Optional.of(looping(String.join(", ", both), link));
            }
            both.forEach(host -> joined.put(host, both));
        }
        return Optional.empty();
    }

    private static Finding looping(String hosts, DiscoveredCable link) {
        return Finding.failure(
                Cause.BRIDGE_LOOP,
                hosts,
                new Finding.Problem(
                        "bridge0 of these Macs has all ports of a ring of cables, closed by " + link,
                        "The bridge has no spanning tree: one broadcast circles for ever and floods every Mac of the "
                                + "ring.",
                        "On each of them, at its own keyboard: sudo networksetup -setnetworkserviceenabled "
                                + "'Thunderbolt Bridge' off. On some Macs this takes USB Ethernet away until it is "
                                + "plugged in again."));
    }

    private static Finding inTheWay(CableEnd end, Cluster cluster) {
        Finding finding = Finding.failure(
                Cause.BRIDGE_IN_THE_WAY,
                end.host(),
                new Finding.Problem(
                        end.label() + " belongs to bridge0 and has no address of its own",
                        "The RDMA device of a bridged port gets no address, so connecting fails (RTR, errno 22).",
                        "Give the port its own address; the bridge may stay. 'bolt topology --addresses' prints the "
                                + "commands."));
        return AddressCheck.assignment(end, cluster).map(finding::with).orElse(finding);
    }
}
