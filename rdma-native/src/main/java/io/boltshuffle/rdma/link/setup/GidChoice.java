package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.link.protocol.PortAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The GIDs of a port that a link may use, chosen by content and never by index: Apple's tables differ between releases,
 * and entry 0 can be a Thunderbolt domain identifier that is no address at all.
 *
 * @param ipv4 the IPv4-mapped one, preferred
 * @param linkLocal the fe80 one
 */
public record GidChoice(@Nullable GidEntry ipv4, @Nullable GidEntry linkLocal) {

    /** The addresses that both ends use, which are of one family. */
    public record Agreed(GidEntry local, Gid peer) {}

    /**
     * @param interfaceAddresses of the device's network interface. Where an IPv4 one is known, only its GID counts:
     *     others may belong to a bridge.
     */
    public static GidChoice among(List<GidEntry> table, Set<InetAddress> interfaceAddresses) {
        boolean knowsIpv4 = interfaceAddresses.stream().anyMatch(Inet4Address.class::isInstance);
        GidEntry ipv4 = null;
        GidEntry linkLocal = null;
        for (GidEntry entry : table) {
            boolean own = belongs(entry.gid(), interfaceAddresses);
            if (entry.gid().isIpv4Mapped() && (own || (!knowsIpv4 && ipv4 == null))) {
                ipv4 = entry;
            } else if (entry.gid().isLinkLocal() && (linkLocal == null || own)) {
                linkLocal = entry;
            }
        }
        return new GidChoice(ipv4, linkLocal);
    }

    private static boolean belongs(Gid gid, Set<InetAddress> addresses) {
        byte[] bytes = gid.toBytes();
        byte[] last = Arrays.copyOfRange(bytes, 12, Gid.BYTES);
        return addresses.stream()
                .map(InetAddress::getAddress)
                .anyMatch(address -> Arrays.equals(address, address.length == 4 ? last : bytes));
    }

    /** Returns the addresses that the peer is told. */
    public PortAddresses toAddresses() {
        return new PortAddresses(ipv4 == null ? null : ipv4.gid(), linkLocal == null ? null : linkLocal.gid());
    }

    /** The pair both ends come to by the same rule, or null if they have no family in common. */
    public @Nullable Agreed agree(PortAddresses peer) {
        if (ipv4 != null && peer.ipv4() != null) {
            return new Agreed(ipv4, peer.ipv4());
        }
        if (linkLocal != null && peer.linkLocal() != null) {
            return new Agreed(linkLocal, peer.linkLocal());
        }
        return null;
    }
}
