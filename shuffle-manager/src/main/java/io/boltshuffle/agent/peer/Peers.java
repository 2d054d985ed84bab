package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.cable.CableCounters;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.wire.FailureReason;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The remote hosts that executors here ask for, and those that proved something to this host.
 *
 * <p><b>Invariant:</b> there are at most {@link #MAX_PEERS}. Where there is no room, a host without contact makes it:
 * names that lead nowhere keep out no host that is there. A host without contact is kept only as long as an executor
 * here asks for it.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class Peers implements RemoteHosts, Peer.Owner {

    /** More hosts than this fabric can cable together by far. */
    static final int MAX_PEERS = 1024;

    private final InstantSource clock;
    private final BiFunction<String, Peer.Owner, Peer> factory;
    private final Map<String, Peer> byHost = new LinkedHashMap<>();
    private final Map<RouteListener, Set<String>> asked = new LinkedHashMap<>();

    /** The counts of cables by host, which stay while no executor asks for the host. */
    private final Map<String, CableCounters> cables = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CableCounters> eldest) {
            return size() > MAX_PEERS;
        }
    };

    /** @param clock tells people since when a cable is out */
    public Peers(InstantSource clock, BiFunction<String, Peer.Owner, Peer> factory) {
        this.clock = clock;
        this.factory = factory;
    }

    @Override
    public void fetch(RouteListener asker, FetchOrder order, FetchReceiver receiver) {
        Peer peer = askFor(asker, order.host());
        if (peer == null) {
            receiver.onFailed(FailureReason.OVERLOADED, "more than " + MAX_PEERS + " peers");
        } else {
            peer.fetch(order, receiver);
        }
    }

    @Override
    public void expect(RouteListener asker, List<String> hosts) {
        for (String host : hosts) {
            Peer peer = askFor(asker, host);
            if (peer != null) {
                peer.warm();
            }
        }
    }

    @Override
    public void forget(RouteListener asker) {
        Set<String> hosts = asked.remove(asker);
        if (hosts != null) {
            for (String host : hosts) {
                Peer peer = byHost.get(host);
                if (peer != null) {
                    peer.removeAsker(asker);
                }
            }
        }
    }

    @Override
    public void onUnwanted(Peer peer) {
        if (byHost.remove(peer.host(), peer)) {
            peer.close("no executor here asks for it");
        }
    }

    @Override
    public CableCounters cablesTo(String host) {
        return cables.computeIfAbsent(host, name -> new CableCounters(clock));
    }

    /** The peer of this name, null if there are too many. */
    public @Nullable Peer peer(String host) {
        if (!byHost.containsKey(host) && byHost.size() >= MAX_PEERS) {
            Optional<Peer> lost =
                    byHost.values().stream().filter(Peer::isWithoutContact).findFirst();
            if (lost.isEmpty()) {
                return null;
            }
            onUnwanted(lost.get());
        }
        return byHost.computeIfAbsent(host, name -> factory.apply(name, this));
    }

    /** Ends the links to all peers, which are dialed again later. */
    public void endLinks(String why) {
        List.copyOf(byHost.values()).forEach(peer -> peer.endLinks(why));
    }

    public void close(String why) {
        List<Peer> all = new ArrayList<>(byHost.values());
        byHost.clear();
        asked.clear();
        all.forEach(peer -> peer.close(why));
    }

    public void sample(long nowNanos) {
        byHost.values().forEach(peer -> peer.sample(nowNanos));
    }

    public List<PeerStatus> status() {
        return byHost.values().stream().map(Peer::status).toList();
    }

    private @Nullable Peer askFor(RouteListener asker, String host) {
        Set<String> hosts = asked.computeIfAbsent(asker, key -> new LinkedHashSet<>());
        if (!hosts.contains(host) && hosts.size() >= MAX_PEERS) {
            return null;
        }
        Peer peer = peer(host);
        if (peer != null) {
            hosts.add(host);
            peer.addAsker(asker);
        }
        return peer;
    }
}
