package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.fabric.CableEnd;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cluster that the checks look at.
 *
 * @param expected the cables that the user believes to exist, if a topology file was given
 */
public record Cluster(Fabric fabric, Optional<Topology> expected) {

    public List<HostFacts> hosts() {
        return fabric.hosts();
    }

    List<HostFacts> macs() {
        return hosts().stream()
                .filter(host -> host.platform() == OperatingSystem.MACOS)
                .toList();
    }

    List<HostFacts> linuxHosts() {
        return hosts().stream()
                .filter(host -> host.platform() == OperatingSystem.LINUX)
                .toList();
    }

    /** Returns every end of a cable that leads to a Mac, known or not. */
    List<CableEnd> cableEnds() {
        List<CableEnd> ends = new ArrayList<>();
        fabric.hosts().forEach(host -> ends.addAll(fabric.endsOf(host)));
        return ends;
    }
}
