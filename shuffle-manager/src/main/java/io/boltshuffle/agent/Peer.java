package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One remote host: whether it can be reached by RDMA, and the fetches that wait to know.
 *
 * <p><b>Invariant:</b> at most one connection is in use. Fetches wait only on first contact, and no longer than the connect
 * timeout, counted from its beginning; a peer that is down refuses at once and is probed in the background, with growing
 * delays. A peer that nobody asked for yet is not down when it does not answer: its agent may be started any moment.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class Peer {

    private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
    private static final Duration FIRST_PROBE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(15);

    /** Fetches that may wait for first contact. */
    private static final int MAX_WAITING = 4096;

    private record WaitingFetch(FetchOrder order, FetchReceiver receiver) {}

    private final String host;
    private final AgentServices services;
    private final PeerDialer dialer;
    private final Ports ports;
    private final RouteListener routes;
    private final Queue<WaitingFetch> waiting = new ArrayDeque<>();
    private final CableCounters cables = new CableCounters();
    private final Backoff probes = new Backoff(FIRST_PROBE, LONGEST_PROBE);
    private PeerState state = PeerState.IDLE;
    private boolean wanted;
    private boolean toldDown;
    private FailureReason reason = FailureReason.PEER_UNREACHABLE;
    private String detail = "";
    private @Nullable PeerSession session;
    private Loop.@Nullable Timer timer;

    Peer(String host, AgentServices services, PeerDialer dialer, Ports ports, RouteListener routes) {
        this.host = host;
        this.services = services;
        this.dialer = dialer;
        this.ports = ports;
        this.routes = routes;
    }

    String host() {
        return host;
    }

    /** Runs the fetch, keeps it until first contact is over, or refuses it. */
    void fetch(FetchOrder order, FetchReceiver receiver) {
        wanted = true;
        PeerSession current = session;
        if (state == PeerState.UP && current != null) {
            current.fetch(order, receiver);
        } else if (state == PeerState.DOWN) {
            receiver.onFailed(reason, detail);
        } else if (waiting.size() >= MAX_WAITING) {
            receiver.onFailed(FailureReason.OVERLOADED, waiting.size() + " fetches wait for " + host);
        } else {
            waiting.add(new WaitingFetch(order, receiver));
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

    /** A handshake with this host is complete. Of two connections the one dialed by the smaller host name stays. */
    void adopt(PeerConnection connection) {
        PeerSession current = session;
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
        startTimer(services.settings().get(Options.AGENT_CONNECT_TIMEOUT).toNanos(), this::onNoContact);
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

    /** Our connection was given up in favour of one that the peer dials: it is on its way. */
    void onDialSuperseded() {
        // The timer of CONNECTING still runs, in case it never comes.
        LOG.debug("{}: waiting for the connection that the peer opened", host);
    }

    void close(String why) {
        stopTimer();
        PeerSession current = session;
        session = null;
        if (current != null) {
            current.end(new ControlMessage.Goodbye(why), why);
        }
        dialer.cancel(host);
        failWaiting(FailureReason.STOPPING, why);
    }

    boolean isUp() {
        return state == PeerState.UP;
    }

    /** Tells a listener that comes late what it would have been told. */
    void tell(RouteListener listener) {
        if (state == PeerState.UP) {
            listener.onRouteUp(host);
        } else if (state == PeerState.DOWN) {
            listener.onRouteDown(host, reason, detail);
        }
    }

    PeerStatus status() {
        PeerSession current = session;
        return new PeerStatus(
                host,
                state.name(),
                state == PeerState.DOWN ? reason + ": " + detail : "",
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
        startTimer(services.settings().get(Options.AGENT_CONNECT_TIMEOUT).toNanos(), this::onNoContact);
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
        if (wanted || why != FailureReason.PEER_UNREACHABLE) {
            down(why, message);
            return;
        }
        LOG.debug("{}: no contact yet: {}", host, message);
        become(PeerState.IDLE);
        startTimer(probes.afterFailureNanos(), this::warm);
    }

    private void down(FailureReason why, String message) {
        // A probe that fails as the one before did is no news.
        boolean news = !toldDown || why != reason;
        toldDown = true;
        reason = why;
        detail = message;
        become(PeerState.DOWN);
        if (news) {
            LOG.warn("{}: not reachable by RDMA, going by TCP: {}: {}", host, why, message);
            routes.onRouteDown(host, why, message);
        }
        failWaiting(why, message);
        if (session == null) {
            startTimer(probes.afterFailureNanos(), this::connect);
        } else {
            stopTimer();
        }
    }

    private void up() {
        stopTimer();
        become(PeerState.UP);
        toldDown = false;
        probes.succeeded();
        LOG.info("{}: reachable by RDMA", host);
        routes.onRouteUp(host);
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
        assert state.mayBecome(next) : host + ": " + state + " cannot become " + next;
        state = next;
    }

    private void startTimer(long nanos, Runnable task) {
        stopTimer();
        timer = services.loop().after(nanos, task);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** What happens to the connection in use. */
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
            down(why, message);
        }

        @Override
        public void onSuperseded() {
            session = null;
            become(PeerState.CONNECTING);
            startTimer(services.settings().get(Options.AGENT_CONNECT_TIMEOUT).toNanos(), Peer.this::onNoContact);
        }
    }
}
