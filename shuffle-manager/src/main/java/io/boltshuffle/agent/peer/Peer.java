package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.Backoff;
import io.boltshuffle.agent.cable.CableCounters;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One remote host: whether it can be reached by RDMA, who asks for it here, and the fetches that wait to know.
 *
 * <p><b>Invariant:</b> at most one connection is in use, and each that comes here proved something. Fetches wait only
 * on first contact, and no longer than the connect timeout, counted from its beginning, however many connections come
 * and go meanwhile; a peer that is down refuses at once, also while it is probed in the background, with growing
 * delays. A peer that no fetch asked for yet is not down when it does not answer, or has no application in common yet:
 * both may change any moment. A peer without a connection that no executor asks for is given back to its owner, and
 * dialed no more.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class Peer {

    private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
    private static final Duration FIRST_PROBE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(15);

    /** Fetches that may wait for first contact. */
    private static final int MAX_WAITING = 4096;

    /** Keeps peers. */
    public interface Owner {
        /** There is no connection to this peer, and no executor here asks for it. */
        void onUnwanted(Peer peer);

        /** Returns the counts of the cables to this host, those before this peer included. */
        CableCounters cablesTo(String host);
    }

    private record WaitingFetch(FetchOrder order, FetchReceiver receiver) {}

    private final String host;
    private final PeerServices services;
    private final PeerDialer dialer;
    private final Ports ports;
    private final Owner owner;
    private final Set<RouteListener> askers = new LinkedHashSet<>();
    private final Queue<WaitingFetch> waiting = new ArrayDeque<>();
    private final CableCounters cables;
    private final Backoff probes = new Backoff(FIRST_PROBE, LONGEST_PROBE);
    private PeerState state = PeerState.IDLE;
    private boolean wanted;
    private @Nullable Instant downSince; // askers were told so, and not that it is up again
    private FailureReason reason = FailureReason.PEER_UNREACHABLE;
    private String detail = "";
    private @Nullable PeerSession session;
    private Loop.@Nullable Timer contact;
    private Loop.@Nullable Timer probe;

    public Peer(String host, PeerServices services, PeerDialer dialer, Ports ports, Owner owner) {
        this.host = host;
        this.services = services;
        this.dialer = dialer;
        this.ports = ports;
        this.owner = owner;
        this.cables = owner.cablesTo(host);
    }

    String host() {
        return host;
    }

    /** An executor asks for this host from now on, and is told what is known of the way there. */
    void addAsker(RouteListener asker) {
        if (!askers.add(asker)) {
            return;
        }
        if (state == PeerState.UP) {
            asker.onRouteUp(host);
        } else if (downSince != null) {
            asker.onRouteDown(host, reason, detail);
        }
    }

    /** The executor is gone. */
    void removeAsker(RouteListener asker) {
        askers.remove(asker);
        if (askers.isEmpty()) {
            wanted = false;
            if (session == null) {
                owner.onUnwanted(this);
            }
        }
    }

    /** Returns whether this peer has no session and nothing waits for it, so that it can be forgotten. */
    boolean isWithoutContact() {
        return session == null && waiting.isEmpty();
    }

    /** Runs the fetch, keeps it until first contact is over, or refuses it. */
    void fetch(FetchOrder order, FetchReceiver receiver) {
        wanted = true;
        PeerSession current = session;
        if (state == PeerState.UP && current != null) {
            current.fetch(order, receiver);
        } else if (downSince != null) {
            receiver.onFailed(reason, detail);
        } else if (waiting.size() >= MAX_WAITING) {
            receiver.onFailed(FailureReason.OVERLOADED, waiting.size() + " fetches wait for " + host);
        } else {
            WaitingFetch fetch = new WaitingFetch(order, receiver);
            waiting.add(fetch);
            receiver.onWaiting(() -> waiting.remove(fetch));
            if (state == PeerState.IDLE) {
                connect();
            }
        }
    }

    /** Makes contact before the first fetch has to wait for it: cables take a second to be measured. */
    void warm() {
        if (state == PeerState.IDLE) {
            connect();
        }
    }

    /**
     * The other end of a connection proved something, and says it is this host. Of two connections to one agent the one
     * dialed by the smaller host name stays. One to another agent of that name, such as one that was started again,
     * takes the place of the session in use only if it proved an application of that session, or the cluster's secret.
     */
    void adopt(PeerConnection connection) {
        PeerSession current = session;
        if (current != null
                && !connection.trust().mayReplace(current.connection().trust())) {
            String why = "another agent of " + host + " is connected, and the two proved no application in common";
            LOG.warn("{}: a connection is refused: {}", host, why);
            connection.close(new ControlMessage.Refused(FailureReason.REFUSED, why));
            return;
        }
        if (current != null && current.isSameInstance(connection) && !replaces(connection, current.connection())) {
            connection.close(new ControlMessage.Superseded());
            return;
        }
        if (current != null) {
            session = null;
            current.end(new ControlMessage.Superseded(), "another connection to " + host + " took its place");
        }
        dialer.cancel(host);
        become(PeerState.LINKING);
        PeerSession next = new PeerSession(host, services, ports, connection, cables, new SessionEvents());
        session = next;
        next.start();
    }

    /** Our attempt to connect failed. */
    void onDialFailed(FailureReason why, String message) {
        if (session == null && state == PeerState.CONNECTING) {
            noContact(why, message);
        }
    }

    /** Our connection was answered, and nothing that was proven on it fits on both sides. */
    void onDialUnproven(String message) {
        if (session == null && state == PeerState.CONNECTING) {
            if (wanted) {
                down(FailureReason.REFUSED, message);
            } else {
                noContactYet(message);
            }
        }
    }

    /** Our connection was given up in favour of one that the peer dials: it is on its way. */
    void onDialSuperseded() {
        // The deadline of first contact still runs, in case it never comes.
        LOG.debug("{}: waiting for the connection that the peer opened", host);
    }

    /** Ends the connection with its links; both sides know why. */
    void endLinks(String why) {
        if (session != null) {
            session.endBecause(FailureReason.NO_CABLE, why);
        }
    }

    void close(String why) {
        cancel(contact);
        cancel(probe);
        PeerSession current = session;
        session = null;
        if (current != null) {
            current.end(new ControlMessage.Goodbye(why), why);
        }
        dialer.forget(host);
        failWaiting(FailureReason.STOPPING, why);
    }

    PeerStatus status() {
        PeerSession current = session;
        return new PeerStatus(
                host,
                state.name(),
                downSince == null ? "" : reason + ": " + detail,
                downSince == null
                        ? ""
                        : downSince.truncatedTo(ChronoUnit.SECONDS).toString(),
                current == null ? waiting.size() : current.fetchCount(),
                current == null ? 0 : current.servedCount(),
                current == null ? List.of() : current.linkStatus(),
                cables.status());
    }

    /** Samples the links, of which two samples make a rate. */
    void sample(long nowNanos) {
        if (session != null) {
            session.sample(nowNanos);
        }
    }

    private boolean replaces(PeerConnection candidate, PeerConnection current) {
        return dialerName(candidate).compareTo(dialerName(current)) < 0;
    }

    private String dialerName(PeerConnection connection) {
        return connection.end() == Handshake.End.DIALER ? services.identity().host() : host;
    }

    private void connect() {
        become(PeerState.CONNECTING);
        dialer.dial(this);
    }

    private void onNoContact() {
        if (state == PeerState.CONNECTING) {
            dialer.cancel(host);
            noContact(FailureReason.PEER_UNREACHABLE, "no control connection in time");
        } else if (state == PeerState.LINKING) {
            String last = session == null ? "" : session.lastLinkDetail();
            down(FailureReason.LINK_FAILED, "no link came up in time; last: " + (last.isEmpty() ? "nothing" : last));
        }
    }

    private void noContact(FailureReason why, String message) {
        if (askers.isEmpty()) {
            // The peer gave its connection up for another one, which never came.
            owner.onUnwanted(this);
        } else if (wanted || why != FailureReason.PEER_UNREACHABLE) {
            down(why, message);
        } else {
            noContactYet(message);
        }
    }

    private void noContactYet(String message) {
        LOG.debug("{}: no contact yet: {}", host, message);
        become(PeerState.IDLE);
        probeLater(this::warm);
    }

    private void down(FailureReason why, String message) {
        // A probe that fails as the one before did is no news.
        boolean news = downSince == null || why != reason;
        downSince = downSince == null ? services.clock().instant() : downSince;
        reason = why;
        detail = message;
        become(PeerState.DOWN);
        if (news) {
            LOG.warn("{}: not reachable by RDMA, going by TCP: {}: {}", host, why, message);
            askers.forEach(asker -> asker.onRouteDown(host, why, message));
        }
        failWaiting(why, message);
        if (session == null) {
            probeLater(this::connect);
        }
    }

    private void up() {
        become(PeerState.UP);
        downSince = null;
        probes.succeeded();
        LOG.info("{}: reachable by RDMA", host);
        askers.forEach(asker -> asker.onRouteUp(host));
        PeerSession current = session;
        for (WaitingFetch next = waiting.poll(); next != null && current != null; next = waiting.poll()) {
            current.fetch(next.order(), next.receiver());
        }
    }

    private void failWaiting(FailureReason why, String message) {
        for (WaitingFetch next = waiting.poll(); next != null; next = waiting.poll()) {
            next.receiver().onFailed(why, message);
        }
    }

    private void become(PeerState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(host + ": " + state + " cannot become " + next);
        }
        state = next;
        probe = cancel(probe);
        if (!next.isFirstContact()) {
            contact = cancel(contact);
        } else if (contact == null) {
            contact = services.loop()
                    .after(
                            services.settings()
                                    .get(Options.AGENT_CONNECT_TIMEOUT)
                                    .toNanos(),
                            this::onContactDeadline);
        }
    }

    private void onContactDeadline() {
        contact = null;
        onNoContact();
    }

    private void probeLater(Runnable attempt) {
        probe = services.loop().after(probes.afterFailureNanos(), attempt);
    }

    private static Loop.@Nullable Timer cancel(Loop.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
        return null;
    }

    /** Handles the events of the connection in use. */
    private final class SessionEvents implements PeerSession.Listener {
        @Override
        public void onLinkUp() {
            if (state != PeerState.UP) {
                up();
            }
        }

        @Override
        public void onAllLinksDown(String message) {
            if (state == PeerState.UP) {
                down(FailureReason.LINK_FAILED, message);
            }
        }

        @Override
        public void onEnd(FailureReason why, String message) {
            session = null;
            if (askers.isEmpty()) {
                LOG.info("{}: the connection ended, and no executor here asks for it: {}: {}", host, why, message);
                owner.onUnwanted(Peer.this);
            } else {
                down(why, message);
            }
        }

        @Override
        public void onSuperseded() {
            session = null;
            become(PeerState.CONNECTING);
        }
    }
}
