package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.AddressPlan;
import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import io.boltshuffle.cli.doctor.facts.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that each end of a cable has an address of its own, and that the two ends see each other with it. */
final class AddressCheck implements Check {

    private static final String REMEDY =
            "'bolt topology --addresses' prints an address for every port, with commands that last; --fix sets it now.";

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (CableEnd end : cluster.cableEnds()) {
            if (!BridgeCheck.isInTheWay(end)) {
                end.networkInterface().ifPresent(one -> presence(end, one, cluster, findings));
            }
        }
        for (DiscoveredCable link : cluster.fabric().links()) {
            agreement(link, cluster).ifPresent(findings::add);
        }
        return findings;
    }

    /** Returns the plan's address for an end, as a change that can be made at once. */
    static Optional<Fix> assignment(CableEnd end, Cluster cluster) {
        return AddressPlan.of(cluster.fabric()).stream()
                .filter(assignment -> assignment.end().equals(end) && !assignment.alreadySet())
                .findFirst()
                .map(assignment -> new Fix(
                        end.host(),
                        "give " + assignment.interfaceName() + " the address " + assignment.address()
                                + " until the next restart",
                        true,
                        assignment.command()));
    }

    private static void presence(CableEnd end, NetworkInterface one, Cluster cluster, List<Finding> findings) {
        if (!one.ipv4().isEmpty()) {
            return;
        }
        Finding finding = one.linkLocal().isEmpty()
                ? Finding.failure(
                        Cause.NO_ADDRESS,
                        end.host(),
                        new Finding.Problem(
                                end.label() + " has neither an IPv4 nor an IPv6 address",
                                "The RDMA device has no address to connect with (RTR, errno 22).",
                                REMEDY))
                : Finding.warning(
                        Cause.NO_ADDRESS,
                        end.host(),
                        new Finding.Problem(
                                end.label() + " has no IPv4 address, only "
                                        + one.linkLocal().get(0),
                                "RDMA uses the IPv6 address, if the other end has one too; other programs need IPv4.",
                                REMEDY));
        findings.add(assignment(end, cluster).map(finding::with).orElse(finding));
    }

    private static Optional<Finding> agreement(DiscoveredCable link, Cluster cluster) {
        List<Ipv4Network> near = ipv4(link.near());
        List<Ipv4Network> far = ipv4(link.far());
        if (near.isEmpty() || far.isEmpty() || CrossedCablesCheck.isCrossed(link, cluster)) {
            return Optional.empty();
        }
        Optional<String> common = near.stream()
                .filter(address -> far.stream().anyMatch(address::sharesSubnetWith))
                .findFirst()
                .map(address -> link.label() + " share the subnet of " + address);
        if (common.isEmpty()) {
            return Optional.of(Finding.failure(
                    Cause.ADDRESS_MISMATCH,
                    link.hosts(),
                    new Finding.Problem(
                            link.label() + " are in different subnets: " + near + " and " + far,
                            "The two ends of this cable cannot find each other (RTR, errno 60).",
                            REMEDY)));
        }
        if (near.stream().allMatch(Ipv4Network::isSelfAssigned)) {
            return Optional.of(Finding.warning(
                    Cause.ADDRESS_MISMATCH,
                    link.hosts(),
                    new Finding.Problem(
                            link.label() + " use addresses that macOS assigned itself",
                            "They change with every plug and restart, come late after a restart, and are in one subnet "
                                    + "on all ports, so TCP may take another way.",
                            REMEDY)));
        }
        return Optional.of(Finding.ok(Cause.ADDRESS_MISMATCH, link.hosts(), common.get()));
    }

    private static List<Ipv4Network> ipv4(CableEnd end) {
        return end.networkInterface().map(NetworkInterface::ipv4).orElse(List.of());
    }
}
