package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.RdmaFlag;
import io.boltshuffle.topology.mac.ThunderboltPeer;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that RDMA is switched on, here and on the Mac at the other end, and says which of the two lacks it. Newer
 * releases of macOS have a switch in System Settings; older ones, {@code rdma_ctl enable} in Recovery.
 */
final class RdmaFlagCheck implements Check {

    private static final String SWITCH_ON =
            "On %s: open System Settings, search for RDMA, enable it, and restart. Where Settings has no such switch:"
                    + " shut down, hold the power button until the startup options load, choose Options, then"
                    + " Utilities > Terminal, type 'rdma_ctl enable', and restart. Once is enough.";

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts mac : cluster.macs()) {
            if (!ThunderboltGenerationCheck.isThunderbolt4(mac)) {
                here(mac, findings);
            }
        }
        for (CableEnd end : cluster.fabric().outside()) {
            if (isOffAtTheOtherEnd(end)) {
                findings.add(there(end));
            }
        }
        return findings;
    }

    /**
     * Returns whether the flag of the peer is off. The answer is in what the peer offers over the cable, so it needs no
     * access to the peer.
     */
    static boolean isOffAtTheOtherEnd(CableEnd end) {
        return end.port().isFast()
                && end.port()
                        .peer()
                        .filter(peer -> peer.rdma() == ThunderboltPeer.RdmaService.NOT_OFFERED)
                        .isPresent();
    }

    private static void here(HostFacts mac, List<Finding> findings) {
        if (mac.rdmaFlag() == RdmaFlag.ENABLED) {
            findings.add(Finding.ok(Cause.FLAG_OFF, mac.host(), "rdma_ctl status: enabled"));
        } else if (mac.rdmaFlag() == RdmaFlag.DISABLED) {
            findings.add(Finding.failure(
                    Cause.FLAG_OFF,
                    mac.host(),
                    new Finding.Problem(
                            "rdma_ctl status: disabled, on this Mac",
                            "macOS keeps RDMA off until somebody switches it on; the ports at both ends of its cables "
                                    + "stay down.",
                            SWITCH_ON.formatted(mac.host()))));
        }
    }

    private static Finding there(CableEnd end) {
        String peer = end.port().peer().map(ThunderboltPeer::name).orElse("the peer");
        return Finding.failure(
                Cause.FLAG_OFF,
                end.host(),
                new Finding.Problem(
                        "off on the peer: \"" + peer + "\" at " + end.label() + " does not offer RDMA over the cable",
                        "A Mac offers the Thunderbolt service \"rdma\" only while its own flag is on. This end is "
                                + (end.facts().rdmaFlag() == RdmaFlag.ENABLED ? "on." : "not known to be on."),
                        SWITCH_ON.formatted("the Mac \"" + peer + "\"")));
    }
}
