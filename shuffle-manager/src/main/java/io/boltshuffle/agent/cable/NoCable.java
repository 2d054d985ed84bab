package io.boltshuffle.agent.cable;

import io.boltshuffle.conf.Options;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortFacts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Says why no port of this host faces one of the peer: what was seen at both ends, and what to do. The text is short
 * whatever the peer tells, because it goes into logs and onto the wire.
 */
final class NoCable {
    private static final int MOST_PORTS = 3;
    private static final int MOST_ADDRESSES = 2;
    private static final int LONGEST_NAME = 24;

    private NoCable() {}

    /**
     * @param byTopology whether a topology file decides alone
     * @param trouble what went wrong in looking for ports; empty if nothing did
     */
    static String explain(List<PortFacts> near, List<PortFacts> far, boolean byTopology, String trouble) {
        if (near.isEmpty()) {
            return "this host has no active RDMA port" + (trouble.isEmpty() ? "" : " (" + trouble + ")");
        }
        if (far.isEmpty()) {
            return "the other host has no active RDMA port";
        }
        String seen = "here " + described(near) + ", there " + described(far);
        if (byTopology) {
            return "the file of " + Options.AGENT_TOPOLOGY_FILE.key()
                    + " has no cable between active ports of these two hosts; active are " + seen;
        }
        return "no port here faces one there by what they tell: " + seen
                + "; give the two ports of each cable addresses"
                + " of one network of at most 256, such as 10.81.0.1/30 and 10.81.0.2/30, or say which port faces"
                + " which by "
                + Options.AGENT_TOPOLOGY_FILE.key();
    }

    private static String described(List<PortFacts> ports) {
        String first = ports.stream().limit(MOST_PORTS).map(NoCable::described).collect(Collectors.joining(" and "));
        return ports.size() <= MOST_PORTS ? first : first + " and " + (ports.size() - MOST_PORTS) + " more";
    }

    private static String described(PortFacts port) {
        List<String> addresses = port.gids().stream()
                .map(Opaque::toBytes)
                .filter(Pairing::isIpv4Mapped)
                .map(NoCable::text)
                .limit(MOST_ADDRESSES)
                .toList();
        String device = port.name().device();
        String name = device.length() <= LONGEST_NAME ? device : device.substring(0, LONGEST_NAME);
        return name + (addresses.isEmpty() ? " (no IPv4 address)" : " (" + String.join(", ", addresses) + ")");
    }

    /** Java takes a mapped address for the IPv4 address that it is. */
    private static String text(byte[] mapped) {
        try {
            return InetAddress.getByAddress(mapped).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
