package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.RdmaFlag;
import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the verbs port of every fast cable is active. It does not report a port that another finding explains.
 */
final class PortStateCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (CableEnd end : cluster.cableEnds()) {
            if (!isExplained(end, cluster)) {
                judge(end).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static boolean isExplained(CableEnd end, Cluster cluster) {
        HostFacts host = end.facts();
        boolean peerIsOff = RdmaFlagCheck.isOffAtTheOtherEnd(end)
                || cluster.fabric().links().stream()
                        .filter(link -> link.ends().contains(end))
                        .map((DiscoveredCable link) -> link.otherEnd(end).facts())
                        .anyMatch(peer -> peer.rdmaFlag() == RdmaFlag.DISABLED);
        return peerIsOff
                || host.rdmaFlag() != RdmaFlag.ENABLED
                || !end.port().isFast()
                || ThunderboltGenerationCheck.isThunderbolt4(host)
                || !host.evidence().outcome(ProbeCommand.IBV_DEVINFO).is(Outcome.Ending.RAN);
    }

    private static Optional<Finding> judge(CableEnd end) {
        if (end.interfaceName().isEmpty()) {
            return Optional.of(down(
                    end,
                    "networksetup lists no interface for " + end.label(),
                    "sudo networksetup -detectnewhardware; then run the doctor again."));
        }
        Optional<VerbsDevice> device = end.device();
        if (device.isEmpty()) {
            return Optional.empty();
        }
        if (device.get().isActive()) {
            return Optional.of(Finding.ok(
                    Cause.PORT_DOWN, end.host(), device.get().name() + " at " + end.label() + ": PORT_ACTIVE"));
        }
        return Optional.of(down(
                end,
                device.get().name() + " at " + end.label() + " is "
                        + device.get().state(),
                "Pull the cable, wait ten seconds, plug it in again at both ends. If the port stays down, restart both "
                        + "Macs together; on a Mac Studio, try another port than the one beside Ethernet."));
    }

    private static Finding down(CableEnd end, String seen, String remedy) {
        return Finding.failure(
                Cause.PORT_DOWN,
                end.host(),
                new Finding.Problem(
                        seen,
                        "The cable is there, fast enough, and both flags are on, but the RDMA port did not come up.",
                        remedy));
    }
}
