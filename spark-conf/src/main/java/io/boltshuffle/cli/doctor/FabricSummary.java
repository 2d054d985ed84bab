package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.doctor.fabric.DiscoveredCable;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.VerbsDevice;
import io.boltshuffle.os.OperatingSystem;

/** Describes a cluster in one line. */
final class FabricSummary {

    private FabricSummary() {}

    static String of(Fabric fabric) {
        if (fabric.hosts().stream().noneMatch(host -> host.platform() == OperatingSystem.MACOS)) {
            return Counted.of(fabric.hosts().size(), "host") + ", " + ofDevices(fabric);
        }
        int pairs = fabric.pairs().size();
        long rdma = fabric.pairs().stream()
                .filter(pair -> fabric.links(pair).stream().anyMatch(DiscoveredCable::isRdma))
                .count();
        return Counted.of(fabric.hosts().size(), "host") + ", "
                + Counted.of(fabric.links().size(), "cable") + (pairs == 0 ? "" : ": " + transports(pairs, rdma));
    }

    /** Describes the devices. Hosts without Thunderbolt reach each other through a switch, so nothing else is known. */
    private static String ofDevices(Fabric fabric) {
        long active = fabric.hosts().stream()
                .filter(host -> host.verbsDevices().stream().anyMatch(VerbsDevice::isActive))
                .count();
        return active == 0 ? "no active RDMA device" : "an active RDMA device on " + active + " of them";
    }

    private static String transports(int pairs, long rdma) {
        if (rdma == pairs) {
            return "RDMA on every pair";
        }
        return rdma == 0 ? "TCP on every pair" : "RDMA on " + rdma + " of " + pairs + " pairs, TCP on the others";
    }
}
