package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.joining.JoinCode;
import io.boltshuffle.cli.nearby.DeskFinder;
import io.boltshuffle.cli.nearby.NearbyDesk;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Chooses the first machine for a user who typed a code and no host. */
record NearbyChoice(DeskFinder finder, Console console) {
    private static final long RESOLVE_SECONDS = 2;

    /** Returns the only machine that answers. Several are tried by the user alone, who knows which one is meant. */
    NearbyDesk only(JoinCode code) {
        console.status("looking for the first machine in the local network");
        List<NearbyDesk> found = finder.find();
        console.clearStatus();
        if (found.isEmpty()) {
            throw BoltException.environment(
                    "no first machine answers in the local network",
                    "type its host, too, as bolt up printed it: bolt join HOST CODE. Multicast DNS reaches no other"
                            + " subnet; a VPN, a firewall, a network for guests, a Linux without multicast or bolt up"
                            + " --no-announce keeps it from being heard");
        }
        if (found.size() > 1) {
            throw BoltException.usage(found.size() + " first machines answer in the local network, and none was tried:"
                    + " type the line of the one that you mean\n"
                    + found.stream()
                            .map(desk -> "  "
                                    + JoinLine.of(desk.address().getHostAddress(), desk.port(), code) + "   ("
                                    + desk.name() + ", fingerprint "
                                    + desk.fingerprint().shown() + ")")
                            .collect(Collectors.joining("\n")));
        }
        NearbyDesk only = found.get(0);
        console.line("found " + only.name() + " at " + only.address().getHostAddress()
                + ", which says that its certificate has the fingerprint "
                + only.fingerprint().shown());
        return only;
    }

    /**
     * Returns the host by which this machine calls a desk, now and to come back: a name that multicast DNS announces,
     * because it follows the machine to another address, if it leads there now, or else the address.
     */
    String host(NearbyDesk desk) {
        return OwnAddress.isAnnounced(desk.name()) && leadsTo(desk.name(), desk.address())
                ? desk.name()
                : desk.address().getHostAddress();
    }

    private static boolean leadsTo(String name, InetAddress address) {
        return CompletableFuture.supplyAsync(() -> addresses(name).contains(address))
                .completeOnTimeout(false, RESOLVE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static List<InetAddress> addresses(String name) {
        try {
            return List.of(InetAddress.getAllByName(name));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }
}
