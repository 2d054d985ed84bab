package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the address and the name that other machines have for this one. */
final class OwnAddress {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** An address of RFC 5737, which nobody has: the way to it is the way to everywhere. No packet is sent. */
    private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("192.0.2.1", 9);

    private OwnAddress() {}

    /**
     * Returns an address of this machine.
     *
     * @param chosen a name or address of this machine; null for that of the network which leads everywhere, or else of
     *     the first one that is neither a VPN nor a cable without an address of its own
     */
    static String of(@Nullable String chosen) {
        if (chosen != null) {
            return named(chosen);
        }
        return onDefaultRoute()
                .or(OwnAddress::onAnyNetwork)
                .map(InetAddress::getHostAddress)
                .orElseThrow(() -> BoltException.environment(
                        "this machine is on no network", "join one, or name its address by --host"));
    }

    private static String named(String chosen) {
        try {
            InetAddress address = InetAddress.getByName(chosen);
            if (interfaceOf(address).isEmpty()) {
                throw BoltException.usage("--host " + chosen + " is no name or address of this machine");
            }
            return address.getHostAddress();
        } catch (UnknownHostException e) {
            throw BoltException.usage("--host " + chosen + " is not known here");
        }
    }

    /** Returns whether this machine has an address now. */
    static boolean isOwn(String address) {
        try {
            return interfaceOf(InetAddress.getByName(address)).isPresent();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Optional<InetAddress> onDefaultRoute() {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(ELSEWHERE);
            InetAddress address = socket.getLocalAddress();
            return interfaceOf(address).filter(OwnAddress::isNetwork).map(found -> address);
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty(); // no such route
        }
    }

    private static Optional<InetAddress> onAnyNetwork() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(OwnAddress::isNetwork)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLinkLocalAddress())
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    private static Optional<NetworkInterface> interfaceOf(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    ? Optional.empty()
                    : Optional.ofNullable(NetworkInterface.getByInetAddress(address));
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    /** Leaves out the loopback, and tunnels to elsewhere. */
    private static boolean isNetwork(NetworkInterface candidate) {
        try {
            return candidate.isUp() && !candidate.isLoopback() && !candidate.isPointToPoint();
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns what this machine calls itself. */
    static String name() {
        String name = SystemCommand.output(LIMIT, List.of("hostname")).strip();
        return name.isEmpty() ? "a-machine" : name;
    }

    /**
     * Returns what others can call: a name that multicast DNS announces, because it follows the machine to another
     * address, or else the address.
     */
    static String nameForOthers(String address) {
        String name = name();
        return isAnnounced(name) ? name : address;
    }

    /** Returns whether a name is one that the machine's own system announces by multicast DNS. */
    static boolean isAnnounced(String name) {
        return name.endsWith(".local");
    }
}
