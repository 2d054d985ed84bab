package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that there is a cable, that it carries 80 Gb/s, and that it leads from Mac to Mac. */
final class CableCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts mac : cluster.macs()) {
            if (!mac.thunderboltPorts().isEmpty()
                    && cluster.fabric().endsOf(mac).isEmpty()) {
                findings.add(noCable(mac));
            }
        }
        for (DiscoveredCable link : cluster.fabric().links()) {
            boolean hardware =
                    link.ends().stream().anyMatch(end -> ThunderboltGenerationCheck.isThunderbolt4(end.facts()));
            if (!hardware) {
                findings.add(speed(link.hosts(), link.label(), link.gigabits()));
            }
        }
        for (CableEnd end : cluster.fabric().outside()) {
            if (!ThunderboltGenerationCheck.isThunderbolt4(end.facts())) {
                findings.add(speed(end.host(), end.label(), end.port().gigabits()));
            }
        }
        cluster.fabric().links().stream()
                .map(DiscoveredCable::near)
                .flatMap(end -> behindADock(end).stream())
                .forEach(findings::add);
        cluster.fabric().outside().stream()
                .flatMap(end -> behindADock(end).stream())
                .forEach(findings::add);
        return findings;
    }

    /** Sources disagree on whether RDMA passes there, so this is no failure. */
    private static Optional<Finding> behindADock(CableEnd end) {
        return end.port()
                .peer()
                .filter(peer -> !peer.behind().isEmpty())
                .map(peer -> Finding.warning(
                        Cause.BEHIND_A_DOCK,
                        end.host(),
                        new Finding.Problem(
                                end.label() + " reaches \"" + peer.name() + "\" through \"" + peer.behind() + "\"",
                                "Apple says that RDMA does not pass a dock or hub; one project saw it pass.",
                                "Run 'bolt verify' over this cable. If it does not hold, plug the cable in at the Mac"
                                        + " itself.")));
    }

    private static Finding noCable(HostFacts mac) {
        return Finding.failure(
                Cause.NO_CABLE,
                mac.host(),
                new Finding.Problem(
                        "no other Mac at any of its " + mac.thunderboltPorts().size() + " Thunderbolt ports",
                        "Without a cable its shuffle goes by TCP over the network.",
                        "Connect it with a Thunderbolt 5 cable; 'bolt topology' says which pair gains most."));
    }

    private static Finding speed(String hosts, String where, int gigabits) {
        if (gigabits == 0 || gigabits >= ThunderboltPort.THUNDERBOLT_5_GIGABITS) {
            return Finding.ok(Cause.CABLE_SPEED, hosts, where + (gigabits == 0 ? "" : ": " + gigabits + " Gb/s"));
        }
        return Finding.failure(
                Cause.CABLE_SPEED,
                hosts,
                new Finding.Problem(
                        where + " runs at " + gigabits + " Gb/s",
                        "RDMA needs a Thunderbolt 5 link of 80 Gb/s; a Thunderbolt 4 or USB4 cable, or a Thunderbolt 4 "
                                + "Mac at the other end, makes it slower.",
                        "Use a cable marked Thunderbolt 5, straight from Mac to Mac, at most 2 m if passive; then plug "
                                + "it in again at both ends."));
    }
}
