package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.Firewall;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import java.util.ArrayList;
import java.util.List;

/** Checks that other hosts can reach the agent's and Spark's TCP ports. RDMA itself does not pass the firewall. */
final class FirewallCheck implements Check {

    private static final String SETTINGS = "System Settings > Network > Firewall > Options";

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        for (HostFacts mac : cluster.macs()) {
            switch (mac.firewall()) {
                case OFF -> findings.add(Finding.ok(Cause.FIREWALL, mac.host(), "the macOS firewall is off"));
                case ON -> findings.add(on(mac));
                case BLOCKS_ALL -> findings.add(blocksAll(mac));
                case UNKNOWN -> {}
            }
        }
        return findings;
    }

    private static Finding on(HostFacts mac) {
        return Finding.warning(
                Cause.FIREWALL,
                mac.host(),
                new Finding.Problem(
                        "the macOS firewall is on",
                        "It may keep the other hosts from this Mac's agent and from Spark, in silence.",
                        SETTINGS
                                + ": allow incoming connections for java. Also allow Terminal (or what starts Spark) "
                                + "under Privacy & Security > Local Network."));
    }

    private static Finding blocksAll(HostFacts mac) {
        return Finding.failure(
                Cause.FIREWALL,
                mac.host(),
                new Finding.Problem(
                        "the macOS firewall blocks all incoming connections (" + Firewall.BLOCKS_ALL + ")",
                        "Neither Spark nor the agents can reach this Mac.",
                        SETTINGS + ": turn off \"Block all incoming connections\" and allow java."));
    }
}
