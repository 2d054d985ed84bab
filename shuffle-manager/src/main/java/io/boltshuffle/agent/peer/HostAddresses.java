package io.boltshuffle.agent.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of hosts. A name may have several, of which some lead nowhere. */
public final class HostAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(HostAddresses.class);

    /** More than any name has for a reason. */
    private static final int MAX_ADDRESSES = 16;

    /** Asks the system for all addresses of a name, the best first. May take seconds. */
    @FunctionalInterface
    public interface NameService {
        InetAddress[] addressesOf(String host) throws UnknownHostException;
    }

    private final NameService names;
    private volatile List<InetAddress> hidden = List.of();

    public HostAddresses(NameService names) {
        this.names = names;
    }

    public static HostAddresses ofSystem() {
        return new HostAddresses(InetAddress::getAllByName);
    }

    /** Returns the addresses at which a peer may be found, the best first. Never empty. */
    List<InetAddress> toReach(String host) throws UnknownHostException {
        return Stream.of(names.addressesOf(host))
                .distinct()
                .limit(MAX_ADDRESSES)
                .toList();
    }

    /**
     * Returns the addresses on which the agent of this host listens: those of its name only, where other hosts can
     * reach them.
     */
    public List<InetAddress> toListenOn(String host) throws IOException {
        List<InetAddress> ofName = toReach(host);
        if (!isHiddenBehindLoopback(host, ofName)) {
            return ofName;
        }
        List<InetAddress> all = new ArrayList<>(ofName);
        NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .limit(MAX_ADDRESSES)
                .forEach(all::add);
        if (!all.equals(hidden)) {
            hidden = List.copyOf(all);
            LOG.warn(
                    "{} is {} here, which other hosts cannot reach: listening on {}",
                    host,
                    ofName.get(0).getHostAddress(),
                    all);
        }
        return List.copyOf(all);
    }

    /** Debian and others give a host's own name an address of its own loopback; other hosts know better ones. */
    private static boolean isHiddenBehindLoopback(String host, List<InetAddress> addresses) {
        boolean literal =
                addresses.stream().anyMatch(address -> address.getHostAddress().equals(host));
        return !literal && !host.equals("localhost") && addresses.stream().allMatch(InetAddress::isLoopbackAddress);
    }
}
