package io.boltshuffle.cli.nearby;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import javax.jmdns.JmDNS;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks every network of this machine by multicast DNS. */
public final class MulticastFinder implements DeskFinder {
    /** More than anybody wants to choose from; a flood of announcements takes no memory beyond. */
    static final int MOST_DESKS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(MulticastFinder.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /** A second desk answers within this time of the first: an answer takes a tenth of a second, and may be lost. */
    private static final Duration MORE = Duration.ofMillis(1500);

    private static final long PIECE_MILLIS = 200;

    private final List<InetAddress> own;

    MulticastFinder(List<InetAddress> own) {
        this.own = own;
    }

    public static MulticastFinder ofThisMachine() {
        return new MulticastFinder(MulticastNetworks.own());
    }

    @Override
    public List<NearbyDesk> find() {
        List<JmDNS> networks = new ArrayList<>();
        try {
            own.forEach(address -> open(address, networks));
            return networks.isEmpty() ? List.of() : ask(networks);
        } finally {
            Thread closing = new Thread(() -> networks.forEach(MulticastFinder::close), "bolt-nearby-close");
            closing.setDaemon(true); // JmDNS takes two seconds for it, which nobody has to wait for
            closing.start();
        }
    }

    private static void open(InetAddress address, List<JmDNS> networks) {
        String name =
                "bolt-join-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
        try {
            networks.add(JmDNS.create(address, name));
        } catch (IOException e) {
            LOG.debug("no multicast DNS at {}", address, e);
        }
    }

    private static List<NearbyDesk> ask(List<JmDNS> networks) {
        Set<NearbyDesk> found = new LinkedHashSet<>();
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            boolean none = found.isEmpty();
            for (JmDNS network : networks) {
                Stream.of(network.list(NearbyDesk.SERVICE, PIECE_MILLIS))
                        .flatMap(NearbyDesk::of)
                        .filter(desk -> isReachable(desk, network))
                        .limit(MOST_DESKS - found.size())
                        .forEach(found::add);
            }
            if (none && !found.isEmpty()) {
                deadlineNanos = Math.min(deadlineNanos, System.nanoTime() + MORE.toNanos());
            }
        }
        return found.stream()
                .sorted(Comparator.comparing(NearbyDesk::name)
                        .thenComparing(desk -> desk.address().getHostAddress())
                        .thenComparing(NearbyDesk::port))
                .toList();
    }

    /** Another machine's announcement leads to no program of this one. */
    private static boolean isReachable(NearbyDesk desk, JmDNS network) {
        try {
            return !desk.address().isLoopbackAddress()
                    || network.getInetAddress().isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    private static void close(JmDNS network) {
        try {
            network.close();
        } catch (IOException e) {
            LOG.debug("while closing", e);
        }
    }
}
