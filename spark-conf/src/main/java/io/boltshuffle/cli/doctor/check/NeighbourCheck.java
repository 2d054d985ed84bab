package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.AddressPlan;
import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that each end knows the hardware address of the other, by IPv4 addresses. Otherwise both ends fail to connect.
 */
final class NeighbourCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        List<AddressPlan.Assignment> plan = AddressPlan.of(cluster.fabric());
        for (DiscoveredCable link : cluster.fabric().links()) {
            plan.stream()
                    .filter(one ->
                            link.isRdma() && one.alreadySet() && link.ends().contains(one.end()))
                    .flatMap(one -> judge(link.otherEnd(one.end()), one.end(), one.address()).stream())
                    .forEach(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> judge(CableEnd from, CableEnd to, Ipv4Network address) {
        return from.interfaceName().map(name -> {
            boolean warm = from.facts().neighbours().stream()
                    .anyMatch(entry -> entry.interfaceName().equals(name)
                            && entry.address().equals(address.dotted()));
            return warm
                    ? Finding.ok(Cause.COLD_NEIGHBOUR, from.host(), to.host() + " is known on " + name)
                    : cold(from, to, name, address.dotted());
        });
    }

    private static Finding cold(CableEnd from, CableEnd to, String name, String address) {
        return Finding.warning(
                        Cause.COLD_NEIGHBOUR,
                        from.host(),
                        new Finding.Problem(
                                "no entry for " + to.host() + " (" + address + ") on " + name,
                                "The first connection over this cable may fail at both ends (RTR, errno 60), because "
                                        + "macOS does not look a peer up for RDMA.",
                                "On " + from.host() + ": ping -c 3 " + address + ". If there is no answer, look at the"
                                        + " firewall and the cable."))
                .with(new Fix(
                        from.host(),
                        "look " + to.host() + " up by a ping",
                        false,
                        List.of("ping", "-c", "3", address)));
    }
}
