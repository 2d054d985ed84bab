package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.cable.CableCounters;
import io.boltshuffle.agent.cable.CableCounters.ActivePorts;
import io.boltshuffle.agent.cable.CablePair;
import io.boltshuffle.agent.cable.LinkStatus;
import io.boltshuffle.agent.cable.Pairing;
import io.boltshuffle.agent.cable.PausablePorts;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.cable.RestingException;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.serve.PullServer;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.WireException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that two agents do with each other over one control connection once the peer proved something: they tell their
 * ports, link those that face each other by what both know, and pull.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class PeerSession implements PeerConnection.Listener, PeerLinks.Listener {

    /**
     * Hears the events that matter to the peer as a whole. No event follows {@link #onEnd} or {@link #onSuperseded}.
     */
    interface Listener {
        void onLinkUp();

        void onAllLinksDown(String detail);

        void onEnd(FailureReason reason, String detail);

        void onSuperseded();
    }

    private final String host;
    private final PeerServices services;
    private final Ports ports;
    private final PeerConnection connection;
    private final Listener listener;
    private final Pairing pairing;
    private final CableCounters cables;
    private final PeerLinks links;
    private final ApplicationTrust trust;
    private final PullClient client;
    private final PullServer server;
    private String lastLinkDetail = "";
    private @Nullable List<PortFacts> ownPorts;
    private @Nullable List<PortFacts> peerPorts;
    private boolean over;

    PeerSession(
            String host,
            PeerServices services,
            Ports ports,
            PeerConnection connection,
            CableCounters cables,
            Listener listener) {
        this.host = host;
        this.services = services;
        this.ports = ports;
        this.connection = connection;
        this.listener = listener;
        this.pairing = new Pairing(services.identity().host(), host, services.topology());
        this.cables = cables;
        this.links = new PeerLinks(host, services, ports, connection::send, cables, this);
        this.trust = connection.trust().applications();
        this.client = new PullClient(services.fetching(), links, connection::send);
        this.server = new PullServer(services.serving(), host, links, connection::send, trust::isTrusted);
    }

    void start() {
        connection.listener(this);
        services.loop().whenDone(ports.discover(), this::onDiscovered);
    }

    PeerConnection connection() {
        return connection;
    }

    boolean isSameInstance(PeerConnection other) {
        return connection.handshake().peer().instance()
                == other.handshake().peer().instance();
    }

    void fetch(FetchOrder order, FetchReceiver receiver) {
        trust.whenTrusted(order.application(), new ApplicationTrust.Waiter() {
            @Override
            public void onTrusted() {
                client.start(order, receiver);
            }

            @Override
            public void onRefused(FailureReason reason, String detail) {
                receiver.onFailed(reason, detail);
            }
        });
    }

    /** Ends it from this side; the listener is not told. */
    void end(ControlMessage lastWord, String detail) {
        connection.close(lastWord);
        tearDown(FailureReason.STOPPING, detail);
    }

    String lastLinkDetail() {
        return lastLinkDetail;
    }

    int fetchCount() {
        return client.fetchCount();
    }

    int servedCount() {
        return server.pullCount();
    }

    List<LinkStatus> linkStatus() {
        return links.status();
    }

    void sample(long nowNanos) {
        links.sample(nowNanos);
    }

    @Override
    public void onOpen(PeerConnection opened) {
        throw new IllegalStateException("the connection was open when this session was made");
    }

    @Override
    public void onMessage(ControlMessage message) throws WireException {
        if (message instanceof ControlMessage.Pull pull) {
            server.onPull(pull.pullId(), pull.request());
        } else if (message instanceof ControlMessage.Free free) {
            server.onFree(free.pullId());
        } else if (message instanceof ControlMessage.Ready ready) {
            client.onReady(ready);
        } else if (message instanceof ControlMessage.NotReady notReady) {
            client.onNotReady(notReady);
        } else if (message instanceof ControlMessage.LinkPayload payload) {
            links.onPayload(payload);
        } else {
            onSetupMessage(message);
        }
    }

    private void onSetupMessage(ControlMessage message) throws WireException {
        if (message instanceof ControlMessage.Ports announced) {
            if (peerPorts != null) {
                throw new WireException("ports were told twice");
            }
            peerPorts = announced.ports();
            pair();
        } else if (message instanceof ControlMessage.LinkStart start) {
            if (connection.end() == Handshake.End.DIALER) {
                throw new WireException("a link from the end that did not open the connection");
            }
            links.onLinkStart(start);
        } else if (message instanceof ControlMessage.LinkEnd end) {
            links.onLinkEnd(end);
        } else {
            throw new WireException(message.getClass().getSimpleName() + " after the handshake");
        }
    }

    @Override
    public void onEnd(PeerConnection ended, FailureReason reason, String detail) {
        tearDown(reason, detail);
        listener.onEnd(reason, detail);
    }

    @Override
    public void onSuperseded(PeerConnection ended) {
        tearDown(FailureReason.PEER_UNREACHABLE, "the connection was replaced by another");
        listener.onSuperseded();
    }

    @Override
    public void onLinkUp() {
        server.onLinkUp();
        listener.onLinkUp();
    }

    @Override
    public void onLinkDown(String detail) {
        lastLinkDetail = detail;
        if (links.up().isEmpty()) {
            listener.onAllLinksDown(detail);
        }
    }

    /**
     * Ends the session, so that at both ends fetches go by TCP at once. The next session looks for ports anew: a cable
     * that is plugged in again may be at another port.
     */
    @Override
    public void onNoPort(String detail) {
        endBecause(FailureReason.LINK_FAILED, services.identity().host() + ": " + detail);
    }

    private void onDiscovered(@Nullable List<PortFacts> found, @Nullable Throwable failure) {
        if (over) {
            return;
        }
        if (failure instanceof PausablePorts.PausedException) {
            endBecause(FailureReason.NO_CABLE, services.identity().host() + " is " + failure.getMessage());
            return;
        }
        if (failure instanceof RestingException) {
            endBecause(FailureReason.LINK_FAILED, services.identity().host() + " is " + failure.getMessage());
            return;
        }
        List<PortFacts> known = found == null ? List.of() : found;
        lastLinkDetail = failure == null ? "" : "no ports: " + failure.getMessage();
        ownPorts = known;
        connection.send(new ControlMessage.Ports(known));
        pair();
    }

    /**
     * Pairs the ports once both ends have told theirs: both pair them, and the one that opened the connection starts
     * the links.
     */
    private void pair() {
        if (ownPorts == null || peerPorts == null) {
            return;
        }
        List<CablePair> pairs = pairing.cables(ownPorts, peerPorts);
        if (pairs.isEmpty()) {
            endWithoutCable(ownPorts, peerPorts);
        } else if (connection.end() == Handshake.End.DIALER) {
            links.start(pairs);
        } else {
            links.expect(pairs);
        }
    }

    private void endWithoutCable(List<PortFacts> near, List<PortFacts> far) {
        String pulled = cables.pulled(new ActivePorts(services.identity().host(), near), new ActivePorts(host, far));
        if (pulled.isEmpty()) {
            endBecause(FailureReason.NO_CABLE, pairing.whyNone(near, far, lastLinkDetail));
        } else {
            endBecause(FailureReason.CABLE_PULLED, pulled);
        }
    }

    /** Both ends are told. */
    void endBecause(FailureReason reason, String detail) {
        end(new ControlMessage.Refused(reason, detail), detail);
        listener.onEnd(reason, detail);
    }

    private void tearDown(FailureReason reason, String detail) {
        over = true;
        links.close(detail);
        trust.refuseWaiting(reason, detail);
        server.close();
        client.close(reason, detail);
    }
}
