package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.MacOsVersion;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of a picture of a cluster, whether the cluster was discovered or read from a file. The drawings differ
 * only in ink.
 */
public record Diagram(List<Box> boxes, List<Line> lines) {

    /** A host. The subtitle may be empty. */
    public record Box(String title, String subtitle) {}

    /** The transport of a pair's traffic. */
    public enum Transport {
        RDMA("RDMA"),
        TCP_OVER_CABLE("TCP over the cable"),
        TCP("TCP, no cable");

        private final String words;

        Transport(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** A cable, or the lack of one, between two boxes by index. Labels may be empty. */
    public record Line(int from, int to, String fromPort, String toPort, String speed, Transport transport) {}

    public Diagram {
        boxes = List.copyOf(boxes);
        lines = List.copyOf(lines);
    }

    public static Diagram of(Fabric fabric) {
        List<Box> boxes = fabric.hosts().stream()
                .map(host -> new Box(host.host(), subtitle(host)))
                .toList();
        List<String> names = boxes.stream().map(Box::title).toList();
        List<Line> lines = new ArrayList<>();
        for (DiscoveredCable link : fabric.links()) {
            lines.add(new Line(
                    names.indexOf(link.near().host()),
                    names.indexOf(link.far().host()),
                    link.near().label(),
                    link.far().label(),
                    link.gigabits() == 0 ? "speed unknown" : link.gigabits() + " Gb/s",
                    link.isRdma() ? Transport.RDMA : Transport.TCP_OVER_CABLE));
        }
        for (Fabric.Pair pair : fabric.pairsWithoutCable()) {
            lines.add(noCable(names.indexOf(pair.first()), names.indexOf(pair.second())));
        }
        return new Diagram(boxes, lines);
    }

    /** Returns the diagram of a file. A file lists the cables for RDMA, without their speeds. */
    public static Diagram of(Topology topology) {
        List<Box> boxes = topology.hosts().stream()
                .map(host -> new Box(host.name(), String.join(", ", host.addresses())))
                .toList();
        List<Line> lines = new ArrayList<>();
        for (Cable cable : topology.cables()) {
            lines.add(new Line(
                    topology.rank(cable.near().host()),
                    topology.rank(cable.far().host()),
                    cable.near().device().interfaceName(),
                    cable.far().device().interfaceName(),
                    "",
                    Transport.RDMA));
        }
        for (Topology.Pair pair : topology.pairsWithoutCable()) {
            lines.add(noCable(topology.rank(pair.first()), topology.rank(pair.second())));
        }
        return new Diagram(boxes, lines);
    }

    private static Line noCable(int from, int to) {
        return new Line(from, to, "", "", "", Transport.TCP);
    }

    private static String subtitle(HostFacts host) {
        return Stream.of(
                        host.hardware().chip().map(chip -> chip.replace("Apple ", "")),
                        host.macOs().map(MacOsVersion::product).map("macOS "::concat))
                .flatMap(Optional::stream)
                .reduce((chip, os) -> chip + ", " + os)
                .orElse("");
    }
}
