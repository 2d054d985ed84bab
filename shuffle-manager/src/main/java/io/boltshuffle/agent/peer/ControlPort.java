package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Acceptor;
import io.boltshuffle.loop.ConnectorChain;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.FramedChannel;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP side of peers: listens on this host's addresses, dials others, and brings each connection to its peer once
 * the other end proved something.
 *
 * <p><b>Invariant:</b> what a stranger leaves here is one of {@link GreetingSlots}, and not for longer than the
 * handshake may take.
 *
 * <p><b>Threads:</b> confined to the agent's loop; host names are looked up on threads of their own.
 */
public final class ControlPort implements PeerDialer {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPort.class);

    /** The time to connect to a peer, for all of its addresses together. */
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int BACKLOG = 128;

    /** Systems may keep the ports below for the superuser. */
    private static final int FIRST_PORT_OF_USERS = 1024;

    /**
     * How agents find each other and what they prove.
     *
     * @param addresses of this host and of others
     * @param clusterSecret {@link Secret#NONE} if proofs of applications' secrets are enough
     */
    public record Access(HostAddresses addresses, Secret clusterSecret) {}

    private final PeerServices services;
    private final EventLoop loop;
    private final NameLookUps names;
    private final NameLookUps ownName;
    private final OwnAddresses own;
    private final Secret clusterSecret;
    private final Function<String, @Nullable Peer> peers;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Dial> dials = new HashMap<>();
    private final Set<PeerConnection> greeting = new HashSet<>();
    private final GreetingSlots<PeerConnection> slots = new GreetingSlots<>();
    private final StrangerLog strangers = new StrangerLog();
    private final ProofBudget proofsForStrangers;
    private final ProofBudget proofsForKnownHosts;

    public ControlPort(PeerServices services, EventLoop loop, Access access, Function<String, @Nullable Peer> peers) {
        this.services = services;
        this.loop = loop;
        this.names = new NameLookUps(access.addresses());
        this.ownName = NameLookUps.ofOwnName(access.addresses());
        String host = services.identity().host();
        this.own = new OwnAddresses(host, loop, () -> ownName.findOwn(host), this::listen);
        this.proofsForStrangers = new ProofBudget(loop::nanoTime);
        this.proofsForKnownHosts = new ProofBudget(loop::nanoTime);
        this.clusterSecret = access.clusterSecret();
        this.peers = peers;
    }

    /** Another program has the port on an address of this host. */
    public static final class PortTakenException extends IOException {
        private static final long serialVersionUID = 1;

        PortTakenException(String message, IOException cause) {
            super(message, cause);
        }
    }

    /**
     * Takes the port on the host's own addresses only. A connection that comes before {@link #listen} waits.
     *
     * @return open sockets, the caller's to close
     * @throws PortTakenException if not one of them can be had, because of other programs
     * @throws IOException if not one of them can be had for another reason
     */
    public static List<ServerSocketChannel> bind(List<InetAddress> own, int port) throws IOException {
        List<ServerSocketChannel> bound = new ArrayList<>();
        IOException first = null;
        for (InetAddress address : own) {
            try {
                bound.add(bind(new InetSocketAddress(address, port)));
            } catch (IOException e) {
                first = first == null || e instanceof PortTakenException ? e : first;
            }
        }
        if (bound.isEmpty() && first != null) {
            throw first;
        }
        return bound;
    }

    private static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
            return server;
        } catch (IOException e) {
            server.close();
            throw refusal(address, e);
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static IOException refusal(InetSocketAddress address, IOException cause) {
        String what = "cannot listen on " + address.getAddress().getHostAddress() + ":" + address.getPort()
                + " for other agents: " + cause.getMessage();
        if (!isOfThisHost(address.getAddress())) {
            return new IOException(what + "; this host's name has to lead to an address of this host", cause);
        }
        if (address.getPort() < FIRST_PORT_OF_USERS && !isAnswered(address)) {
            return new IOException(
                    what + "; a port below " + FIRST_PORT_OF_USERS + " is not every user's to have: choose another "
                            + Options.AGENT_PORT.key() + " on all hosts",
                    cause);
        }
        return new PortTakenException(what, cause);
    }

    /** Asks whether another program listens there. The answer of an address of this host comes at once. */
    private static boolean isAnswered(InetSocketAddress address) {
        try (SocketChannel probe = SocketChannel.open()) {
            return probe.connect(address);
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks for any port there: the system's message about the one that was refused may be in any language. */
    private static boolean isOfThisHost(InetAddress address) {
        try (ServerSocketChannel any = ServerSocketChannel.open()) {
            any.bind(new InetSocketAddress(address, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** @param bound as {@link #bind} gave them; owned from now on, even if this call fails */
    public void listen(List<ServerSocketChannel> bound) throws IOException {
        Map<InetAddress, Closeable> open = new LinkedHashMap<>();
        try {
            for (ServerSocketChannel server : bound) {
                InetAddress address = ((InetSocketAddress) server.getLocalAddress()).getAddress();
                open.put(address, accept(server));
            }
        } catch (IOException | RuntimeException | Error e) {
            bound.forEach(ControlPort::close);
            throw e;
        }
        own.start(open);
    }

    private Closeable listen(InetAddress address) throws IOException {
        return accept(bind(new InetSocketAddress(address, port())));
    }

    private Closeable accept(ServerSocketChannel server) throws IOException {
        return Acceptor.open(
                loop,
                server,
                this::onConnection,
                e -> LOG.warn("connections of peers cannot be taken, and are tried again: {}", e.toString()))::close;
    }

    private int port() {
        return services.settings().get(Options.AGENT_PORT);
    }

    /** Returns where this agent listens, or why other hosts may not find it there, for the status. */
    public String listening() {
        return own.trouble().isEmpty() ? String.join(", ", own.listening()) : own.trouble();
    }

    @Override
    public void dial(Peer peer) {
        Dial dial = new Dial(peer);
        dials.put(peer.host(), dial);
        loop.whenDone(names.find(peer.host()), (found, failure) -> dial.connect(found, failure));
    }

    @Override
    public void cancel(String host) {
        Dial dial = dials.remove(host);
        if (dial != null) {
            dial.cancel();
        }
    }

    @Override
    public void forget(String host) {
        cancel(host);
        slots.forget(host);
    }

    public void close(String why) {
        own.close();
        Set.copyOf(greeting).forEach(connection -> connection.close(new ControlMessage.Goodbye(why)));
        greeting.clear();
        names.close();
        ownName.close();
    }

    /** Takes over a connection that another agent, or a stranger, has opened. */
    void onConnection(SocketChannel channel) {
        try {
            InetAddress from = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
            ProofBudget proofs = slots.isKnown(from) ? proofsForKnownHosts : proofsForStrangers;
            PeerConnection accepted = greet(channel, Handshake.End.ACCEPTOR, proofs::take, new Greeting(null));
            slots.take(accepted, from).ifPresent(this::makeRoom);
        } catch (IOException e) {
            close(channel);
            LOG.debug("a connection broke before it began: {}", e.toString());
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("the descriptor is gone all the same: {}", e.toString());
        }
    }

    private void makeRoom(PeerConnection oldest) {
        greeting.remove(oldest);
        String why = "too many connections on which nothing is proven";
        oldest.close(new ControlMessage.Refused(FailureReason.OVERLOADED, why));
        strangers.ended(loop.nanoTime(), why);
    }

    private PeerConnection greet(SocketChannel channel, Handshake.End end, IntPredicate mayProve, Greeting listener)
            throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Handshake handshake = new Handshake(services.identity(), clusterSecret, end, random);
        PeerConnection connection = new PeerConnection(services, handshake, end, mayProve, listener);
        FramedChannel pipe = FramedChannel.open(channel, loop, connection);
        greeting.add(connection);
        connection.start(pipe);
        return connection;
    }

    /** An attempt to reach one peer, from the look-up of its name to the end of the handshake. */
    private final class Dial {
        private final Peer peer;
        private @Nullable ConnectorChain connecting;
        private boolean cancelled;

        Dial(Peer peer) {
            this.peer = peer;
        }

        void connect(@Nullable List<InetAddress> found, @Nullable Throwable failure) {
            if (cancelled) {
                return;
            }
            if (found == null) {
                failed(FailureReason.PEER_UNREACHABLE, "nobody knows the host " + peer.host() + ": " + failure);
                return;
            }
            slots.know(peer.host(), found);
            connecting = ConnectorChain.start(
                    loop,
                    found.stream()
                            .map(address -> new InetSocketAddress(address, port()))
                            .toList(),
                    CONNECT_NANOS,
                    this::connected,
                    this::notConnected);
        }

        void cancel() {
            cancelled = true;
            if (connecting != null) {
                connecting.close();
            }
        }

        void failed(FailureReason reason, String detail) {
            if (dials.remove(peer.host(), this)) {
                peer.onDialFailed(reason, detail);
            }
        }

        void unproven(String detail) {
            if (dials.remove(peer.host(), this)) {
                peer.onDialUnproven(detail);
            }
        }

        private void connected(SocketChannel channel) {
            connecting = null;
            try {
                // This end chose whom to call, and how often.
                greet(channel, Handshake.End.DIALER, proofs -> true, new Greeting(this));
            } catch (IOException e) {
                close(channel);
                notConnected(e);
            }
        }

        private void notConnected(IOException cause) {
            failed(
                    FailureReason.PEER_UNREACHABLE,
                    "no agent answers on " + peer.host() + ", port " + port() + ": " + cause.getMessage()
                            + (own.trouble().isEmpty() ? "" : "; besides, " + own.trouble()));
        }
    }

    /** Hears a connection until something is proven on it. */
    private final class Greeting implements PeerConnection.Listener {
        private final @Nullable Dial dial;

        /** @param dial the attempt that this connection is of, if this end opened it */
        Greeting(@Nullable Dial dial) {
            this.dial = dial;
        }

        @Override
        public void onGreeted(String host) throws RefusedException {
            if (dial != null && !dial.peer.host().equals(host)) {
                throw new RefusedException(
                        FailureReason.REFUSED,
                        "the agent at " + dial.peer.host() + " answers for host " + host
                                + ": start it with the name that Spark gives that host");
            }
        }

        @Override
        public void onOpen(PeerConnection opened) {
            leave(opened);
            Peer peer = peers.apply(opened.handshake().peer().agent());
            if (peer == null) {
                opened.close(new ControlMessage.Refused(FailureReason.OVERLOADED, "too many peers"));
            } else {
                peer.adopt(opened);
            }
        }

        @Override
        public void onMessage(ControlMessage message) throws WireException {
            throw new WireException("a message for nobody");
        }

        @Override
        public void onEnd(PeerConnection ended, FailureReason reason, String detail) {
            leave(ended);
            if (dial == null) {
                strangers.ended(loop.nanoTime(), reason + ": " + detail);
            } else if (reason == FailureReason.REFUSED && ended.trust().isUnproven()) {
                dial.unproven(detail);
            } else {
                dial.failed(reason, detail);
            }
        }

        @Override
        public void onSuperseded(PeerConnection ended) {
            leave(ended);
            if (dial != null && dials.remove(dial.peer.host(), dial)) {
                dial.peer.onDialSuperseded();
            }
        }

        private void leave(PeerConnection connection) {
            greeting.remove(connection);
            slots.release(connection);
        }
    }
}
