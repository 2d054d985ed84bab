package io.boltshuffle.cli.nearby;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The networks of this machine that carry multicast DNS. */
final class MulticastNetworks {
    private static final int MOST = 8;

    private MulticastNetworks() {}

    /** Returns an address of this machine in each of them. */
    static List<InetAddress> own() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(MulticastNetworks::carries)
                    .flatMap(network -> addressIn(network).stream())
                    .limit(MOST)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    /** Leaves out networks without an address that Spark could use, such as a Mac's for AirDrop. */
    private static Optional<InetAddress> addressIn(NetworkInterface network) {
        return network.inetAddresses()
                .filter(address -> address instanceof Inet4Address || !address.isLinkLocalAddress())
                .min(Comparator.comparing(address -> !(address instanceof Inet4Address)));
    }

    /** Returns whether an address is this machine's, in a network that carries multicast DNS. */
    static boolean has(InetAddress address) {
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(address);
            return network != null && carries(network);
        } catch (SocketException e) {
            return false;
        }
    }

    /** Leaves out the loopback, and tunnels to elsewhere. */
    private static boolean carries(NetworkInterface network) {
        try {
            return network.isUp() && network.supportsMulticast() && !network.isLoopback() && !network.isPointToPoint();
        } catch (SocketException e) {
            return false;
        }
    }
}
