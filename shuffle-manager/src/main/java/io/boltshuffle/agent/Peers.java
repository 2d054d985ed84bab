package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All remote hosts that somebody here asked for or that spoke to this host.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class Peers implements RemoteHosts {

    /** More hosts than this fabric can cable together by far. */
    private static final int MAX_PEERS = 1024;

    private final Function<String, Peer> factory;
    private final Map<String, Peer> byHost = new LinkedHashMap<>();

    Peers(Function<String, Peer> factory) {
        this.factory = factory;
    }

    @Override
    public void fetch(FetchOrder order, FetchReceiver receiver) {
        Peer peer = peer(order.host());
        if (peer == null) {
            receiver.onFailed(FailureReason.OVERLOADED, "more than " + MAX_PEERS + " peers");
        } else {
            peer.fetch(order, receiver);
        }
    }

    @Override
    public void warm(List<String> hosts) {
        for (String host : hosts) {
            Peer peer = peer(host);
            if (peer != null) {
                peer.warm();
            }
        }
    }

    /** The peer of this name, null if there are too many. */
    @Nullable Peer peer(String host) {
        if (!byHost.containsKey(host) && byHost.size() >= MAX_PEERS) {
            return null;
        }
        return byHost.computeIfAbsent(host, factory);
    }

    @Override
    public void tell(RouteListener listener) {
        byHost.values().forEach(peer -> peer.tell(listener));
    }

    void close(String why) {
        List<Peer> all = new ArrayList<>(byHost.values());
        byHost.clear();
        all.forEach(peer -> peer.close(why));
    }

    void sample(long nowNanos) {
        byHost.values().forEach(peer -> peer.sample(nowNanos));
    }

    List<PeerStatus> status() {
        return byHost.values().stream().map(Peer::status).toList();
    }
}
