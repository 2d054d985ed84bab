package io.boltshuffle.rdma.link.protocol;

import io.boltshuffle.rdma.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The addresses of a port, by family; null where it has no such GID. */
public record PortAddresses(@Nullable Gid ipv4, @Nullable Gid linkLocal) {

    /** Returns a text for people, such as {@code 10.81.0.1 and fe80:0:0:0:2e:57ff:fe1d:3}. */
    @Override
    public String toString() {
        String addresses = Stream.of(ipv4, linkLocal)
                .filter(Objects::nonNull)
                .map(PortAddresses::text)
                .collect(Collectors.joining(" and "));
        return addresses.isEmpty() ? "no address" : addresses;
    }

    /** Java takes an IPv4 address in the clothes of IPv6 for what it is. */
    private static String text(Gid gid) {
        try {
            return InetAddress.getByAddress(gid.toBytes()).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
