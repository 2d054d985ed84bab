package io.boltshuffle.cli.nearby;

import java.io.IOException;
import java.io.UncheckedIOException;
import javax.jmdns.JmDNS;

/**
 * Tells the network of a desk's address where machines may join. Other networks of this machine hear nothing.
 *
 * <p><b>Threads:</b> any; JmDNS has its own.
 *
 * <p><b>Ownership:</b> closing it takes the announcement back.
 */
final class Announcement implements AutoCloseable {
    private final JmDNS network;

    private Announcement(JmDNS network) {
        this.network = network;
    }

    /**
     * Announces a desk. The network hears of it some seconds later, when nobody else has claimed its name.
     *
     * @throws IOException if multicast DNS cannot be had at the desk's address
     */
    static Announcement of(NearbyDesk desk) throws IOException {
        JmDNS network = JmDNS.create(desk.address(), desk.label());
        try {
            network.registerService(desk.service());
            return new Announcement(network);
        } catch (IOException e) {
            network.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            network.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
