package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.Ipv4Network;
import io.boltshuffle.cli.doctor.facts.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans one IPv4 address for each end of each cable. Every cable gets a subnet of its own, so that no traffic can take
 * another way. The plan keeps addresses that already satisfy this.
 */
public final class AddressPlan {

    private static final int PREFIX = 30;
    private static final int SUBNET_SIZE = 4;
    private static final int BLOCK_PREFIX = 16;

    /** Private blocks to take subnets from. The plan uses the first that no host uses for anything else. */
    private static final int[] BLOCKS = {ipv4(10, 81), ipv4(10, 181), ipv4(172, 29), ipv4(192, 168)};

    /** The address of one end. {@code alreadySet} means that nothing has to be done for it. */
    public record Assignment(CableEnd end, String interfaceName, Ipv4Network address, boolean alreadySet) {

        /**
         * Returns a command that takes effect at once, and lasts until the cable is plugged in again or the Mac
         * restarts.
         */
        public List<String> command() {
            return List.of("ifconfig", interfaceName, "inet", address.toString(), "alias");
        }

        /** Returns commands with a lasting effect: they create a network service for this one port. */
        public String lastingCommands() {
            String service = "bolt " + interfaceName;
            return "sudo networksetup -createnetworkservice '" + service + "' 'Thunderbolt "
                    + end.port().receptacle() + "'; sudo networksetup -setmanual '" + service + "' " + address.dotted()
                    + " 255.255.255.252";
        }
    }

    /** The addresses of the two ends of one cable. */
    private record Ends(Ipv4Network near, Ipv4Network far) {}

    private AddressPlan() {}

    /** Returns an assignment for each end that has an interface, near ends before far ends, in the order of links. */
    public static List<Assignment> of(Fabric fabric) {
        int block = freeBlock(fabric.hosts());
        List<Assignment> plan = new ArrayList<>();
        int subnet = 0;
        for (DiscoveredCable link : fabric.links()) {
            Optional<String> near = link.near().interfaceName();
            Optional<String> far = link.far().interfaceName();
            if (near.isEmpty() || far.isEmpty()) {
                continue;
            }
            Optional<Ends> current = sharedSubnet(link);
            int first = block + subnet * SUBNET_SIZE + 1;
            Ends ends = current.orElse(new Ends(new Ipv4Network(first, PREFIX), new Ipv4Network(first + 1, PREFIX)));
            plan.add(new Assignment(link.near(), near.get(), ends.near, current.isPresent()));
            plan.add(new Assignment(link.far(), far.get(), ends.far, current.isPresent()));
            subnet++;
        }
        return plan;
    }

    /** The addresses with which the two ends already see each other, if no one else could be meant. */
    private static Optional<Ends> sharedSubnet(DiscoveredCable link) {
        for (Ipv4Network near : addresses(link.near())) {
            for (Ipv4Network far : addresses(link.far())) {
                if (near.sharesSubnetWith(far) && !near.isSelfAssigned()) {
                    return Optional.of(new Ends(near, far));
                }
            }
        }
        return Optional.empty();
    }

    private static List<Ipv4Network> addresses(CableEnd end) {
        return end.networkInterface().map(NetworkInterface::ipv4).orElse(List.of());
    }

    private static int freeBlock(List<HostFacts> hosts) {
        List<Ipv4Network> used = hosts.stream()
                .flatMap(host -> host.interfaces().stream())
                .flatMap(one -> one.ipv4().stream())
                .toList();
        for (int block : BLOCKS) {
            Ipv4Network candidate = new Ipv4Network(block, BLOCK_PREFIX);
            if (used.stream().noneMatch(candidate::overlaps)) {
                return block;
            }
        }
        return BLOCKS[0];
    }

    private static int ipv4(int first, int second) {
        return first << 24 | second << 16;
    }
}
