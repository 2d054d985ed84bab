package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import io.boltshuffle.cli.doctor.facts.NetworkInterface;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that the cables run where the user believes. The topology file may contradict that, or the addresses may: the
 * two ends of a cable are in different subnets, and the partner of each is at another cable.
 */
final class CrossedCablesCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        cluster.expected().ifPresent(expected -> againstFile(expected, cluster, findings));
        if (findings.isEmpty()) {
            cluster.fabric()
                    .links()
                    .forEach(link -> againstAddresses(link, cluster).ifPresent(findings::add));
        }
        return findings;
    }

    /** True if the addresses of the ends belong to other cables; then a missing common subnet is explained. */
    static boolean isCrossed(DiscoveredCable link, Cluster cluster) {
        return partnerElsewhere(link.near(), link, cluster).isPresent()
                || partnerElsewhere(link.far(), link, cluster).isPresent();
    }

    private static void againstFile(Topology expected, Cluster cluster, List<Finding> findings) {
        Topology found = cluster.fabric().toTopology();
        Set<Set<Port>> foundEnds = new HashSet<>();
        found.cables().forEach(cable -> foundEnds.add(Set.of(cable.near(), cable.far())));
        for (Cable cable : expected.cables()) {
            boolean askedAbout = found.rank(cable.near().host()) >= 0
                    && found.rank(cable.far().host()) >= 0;
            // Of what a card is cabled to, macOS knows nothing.
            boolean tellable = cable.near().device().isThunderbolt()
                    && cable.far().device().isThunderbolt();
            if (askedAbout && tellable && !foundEnds.contains(Set.of(cable.near(), cable.far()))) {
                findings.add(crossed(
                        cable.near().host(),
                        "the file says " + cable + ", but " + whereItGoes(found, cable.near()) + " and "
                                + whereItGoes(found, cable.far())));
            }
        }
    }

    private static String whereItGoes(Topology found, Port port) {
        return port
                + found.cableAt(port).map(cable -> " goes to " + cable.far()).orElse(" has no cable to these hosts");
    }

    private static Optional<Finding> againstAddresses(DiscoveredCable link, Cluster cluster) {
        return partnerElsewhere(link.near(), link, cluster)
                .or(() -> partnerElsewhere(link.far(), link, cluster))
                .map(seen -> crossed(link.hosts(), seen));
    }

    private static Optional<String> partnerElsewhere(CableEnd end, DiscoveredCable link, Cluster cluster) {
        CableEnd other = link.otherEnd(end);
        for (Ipv4Network address : addresses(end)) {
            if (address.isSelfAssigned() || addresses(other).stream().anyMatch(address::sharesSubnetWith)) {
                return Optional.empty();
            }
            for (CableEnd candidate : cluster.cableEnds()) {
                boolean elsewhere = !candidate.equals(end) && !candidate.equals(other);
                if (elsewhere && addresses(candidate).stream().anyMatch(address::sharesSubnetWith)) {
                    return Optional.of(end + " has " + address + " and is cabled to " + other
                            + ", but the other address of its subnet is at " + candidate);
                }
            }
        }
        return Optional.empty();
    }

    private static List<Ipv4Network> addresses(CableEnd end) {
        return end.networkInterface().map(NetworkInterface::ipv4).orElse(List.of());
    }

    private static Finding crossed(String host, String seen) {
        return Finding.failure(
                Cause.CROSSED_CABLES,
                host,
                new Finding.Problem(
                        seen,
                        "Two cables are swapped, or ports were renumbered by plugging in again. Programs that trust "
                                + "device names then wait for ever without a message.",
                        "Swap the two plugs back, or write the file and addresses anew: bolt topology --hosts ... "
                                + "--hostfile FILE --addresses."));
    }
}
