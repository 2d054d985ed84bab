package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One agent of an exploration: its peers, the executors that ask for them, and in place of {@link ControlPort}
 * connections whose messages the exploration delivers. It watches what is said on them: nothing but greetings before a
 * proof.
 */
final class TrustAgent implements PeerDialer, TrustWorld.Party {

    private final SimLoop loop;
    private final PeerServices services;
    private final TrustPorts ports;
    private final Peers peers;
    private final String facing;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Dial> dials = new HashMap<>();
    private final List<Dial> calling = new ArrayList<>();
    private final Map<String, Executor> executors = new TreeMap<>();
    private final List<Fetch> fetches = new ArrayList<>();
    private final Set<TrustWorld.Known> everKnown = new HashSet<>();
    private List<Opaque> lastProofs = List.of();
    private int calls;

    TrustAgent(PeerServices services, SimLoop loop, String facing) {
        this.loop = loop;
        this.services = services;
        this.facing = facing;
        this.ports = new TrustPorts(host(), facing);
        this.peers = new Peers(services.clock(), (name, owner) -> new Peer(name, services, this, ports, owner));
    }

    String host() {
        return services.identity().host();
    }

    AgentIdentity identity() {
        return services.identity();
    }

    TrustPorts ports() {
        return ports;
    }

    List<Line> lines() {
        return lines;
    }

    /** Returns what the agent proved last, on any connection. */
    List<Opaque> lastProofs() {
        return lastProofs;
    }

    @Override
    public Set<TrustWorld.Known> known() {
        return everKnown;
    }

    boolean serves(TrustWorld.Known wanted) {
        return services.serving()
                .served()
                .applications()
                .secretOf(wanted.application())
                .equals(wanted.secret());
    }

    boolean hasExecutor(String application) {
        return executors.containsKey(application);
    }

    /** An executor of the application comes. */
    void register(TrustWorld.Known wanted) {
        try {
            TrustFixture.register(services, wanted.application(), wanted.secret());
        } catch (RefusedException e) {
            throw new AssertionError(e);
        }
        everKnown.add(wanted);
        executors.put(wanted.application(), new Executor());
    }

    /** Ends an application, as when its executor's session ends and its directories go. */
    void end(String application) {
        Executor executor = executors.remove(application);
        if (executor != null) {
            executor.living = false;
            peers.forget(executor);
            services.serving().served().applications().forgetEnded(() -> Set.copyOf(executors.keySet()));
        }
    }

    Fetch fetch(String application) {
        Executor executor = executors.get(application);
        if (executor == null) {
            throw new IllegalStateException("no executor of " + application);
        }
        Fetch fetch = new Fetch(host() + "'s fetch of " + application, executor, loop.nanoTime());
        fetches.add(fetch);
        FetchOrder order = new FetchOrder(
                application,
                facing,
                "1",
                new LeaseOwner("a task"),
                loop.nanoTime(),
                Duration.ofMinutes(1).toNanos(),
                List.of(new BlockRange(0, 0, 0, 1)));
        peers.fetch(executor, order, fetch);
        return fetch;
    }

    /** Returns whether a call is on its way to the other host. */
    boolean isCalling() {
        return !calling.isEmpty();
    }

    /** The call is answered by this party, on the given end of a connection. */
    Line callThrough(SimPipe pipe, TrustWorld.Party far) {
        Dial dial = calling.remove(0);
        return new Line(pipe, Handshake.End.DIALER, far, dial);
    }

    void callFails() {
        failed(calling.remove(0), FailureReason.PEER_UNREACHABLE, "no agent answers");
    }

    /** A connection that the other end opened. */
    Line accept(SimPipe pipe, TrustWorld.Party far) {
        return new Line(pipe, Handshake.End.ACCEPTOR, far, null);
    }

    @Override
    public void dial(Peer peer) {
        Dial dial = new Dial(peer, calls++);
        dials.put(peer.host(), dial);
        calling.add(dial);
    }

    @Override
    public void cancel(String host) {
        Dial dial = dials.remove(host);
        if (dial != null) {
            calling.remove(dial);
        }
    }

    @Override
    public void forget(String host) {
        cancel(host);
    }

    private void failed(Dial dial, FailureReason reason, String detail) {
        if (dials.remove(dial.peer.host(), dial)) {
            dial.peer.onDialFailed(reason, detail);
        }
    }

    /** Asserts what holds in every state. */
    void check() {
        require(lines.stream().filter(Line::isInUse).count() <= 1, "more than one connection is in use");
        require(ports.openLinks() == 0 || lines.stream().anyMatch(Line::isInUse), "a link outlives its connection");
        boolean up = peers.status().stream().anyMatch(TrustAgent::isUp);
        lines.forEach(Line::check);
        fetches.forEach(fetch -> fetch.check(up));
    }

    private static boolean isUp(PeerStatus peer) {
        return peer.state().equals(PeerState.UP.name());
    }

    void assertEveryFetchEnded() {
        for (Fetch fetch : fetches) {
            require(fetch.ended || !fetch.executor.living, fetch.name + " never ended");
        }
    }

    /**
     * Links are up to each host that was asked for. A fetch that a replaced connection had begun may have gone by TCP.
     */
    void assertReached() {
        require(peers.status().stream().allMatch(TrustAgent::isUp), "no link is up: " + peers.status());
    }

    void assertEmpty() {
        require(peers.status().isEmpty(), "peers are left: " + peers.status());
        require(dials.isEmpty() && calling.isEmpty(), "calls are left");
        require(lines.stream().allMatch(line -> line.pipe.isClosed()), "connections are left");
        require(ports.openLinks() == 0, ports.openLinks() + " links are left");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(host() + ": " + otherwise);
        }
    }

    private record Dial(Peer peer, int number) {}

    /** One end of a connection, heard as {@link ControlPort} hears it until it is open. */
    final class Line implements PeerConnection.Listener, FrameListener {
        private final SimPipe pipe;
        private final Handshake.End end;
        private final TrustWorld.Party far;
        private final @Nullable Dial dial;
        private final PeerConnection connection;
        private final long startedNanos = loop.nanoTime();
        private final Map<Long, String> pulls = new HashMap<>();
        private boolean heardProof;
        private boolean lapsed;
        private long lapsedNanos;
        private boolean adopted;

        Line(SimPipe pipe, Handshake.End end, TrustWorld.Party far, @Nullable Dial dial) {
            this.pipe = pipe;
            this.end = end;
            this.far = far;
            this.dial = dial;
            long seed = 31L * host().hashCode() + (dial == null ? -1 - lines.size() : dial.number());
            this.connection = new PeerConnection(
                    services, new Handshake(identity(), Secret.NONE, end, new Random(seed)), end, proofs -> true, this);
            lines.add(this);
            pipe.listener(this);
        }

        void start() {
            connection.start(pipe);
        }

        boolean isInUse() {
            return adopted && !pipe.isClosed();
        }

        boolean isLapsed() {
            return connection.trust().state() == PeerTrust.LAPSED;
        }

        /** The applications that the other end proved and that are served here. */
        Set<String> trusted() {
            Set<String> trusted = new TreeSet<>();
            for (TrustWorld.Known each : TrustWorld.APPLICATIONS) {
                if (connection.trust().applications().isTrusted(each.application())) {
                    trusted.add(each.application());
                }
            }
            return trusted;
        }

        private void check() {
            if (pipe.isClosed()) {
                return;
            }
            if (isLapsed() && !lapsed) {
                lapsedNanos = loop.nanoTime();
            }
            lapsed = isLapsed();
            require(
                    !lapsed || loop.nanoTime() - lapsedNanos <= PeerConnection.LAPSE_NANOS,
                    "a connection outlives its last application");
            boolean proven = connection.trust().state().mayLink();
            require(
                    proven || loop.nanoTime() - startedNanos <= TrustWorld.HANDSHAKE.toNanos(),
                    "a connection that proved nothing outlives its deadline");
            require(!proven || sharesASecret(), "a connection is believed whose ends have no secret in common");
            for (String application : trusted()) {
                TrustWorld.Known here = new TrustWorld.Known(
                        application, services.serving().served().applications().secretOf(application));
                require(
                        here.secret().isPresent() && far.known().contains(here),
                        application + " counts as proven by an end that does not know its secret");
            }
        }

        private boolean sharesASecret() {
            return far.known().stream().anyMatch(everKnown::contains);
        }

        /** This end says something. */
        void onSaid(ByteBuffer frame) {
            ControlMessage message = decode(frame);
            boolean believed = heardProof && sharesASecret();
            if (message instanceof ControlMessage.ApplicationProofs proofs) {
                lastProofs = proofs.macs();
                require(believed || end == Handshake.End.DIALER, "the end that was called proves first");
            } else if (message instanceof ControlMessage.ApplicationAnswers) {
                require(believed, "a proof is answered that proves nothing");
            } else if (message instanceof ControlMessage.Ready ready) {
                String application = pulls.getOrDefault(ready.pullId(), "");
                require(
                        far.known().stream().anyMatch(each -> each.application().equals(application)),
                        "blocks of " + application + " are given to an end that does not know its secret");
            } else if (!(message instanceof ControlMessage.Hello
                    || message instanceof ControlMessage.Refused
                    || message instanceof ControlMessage.Superseded
                    || message instanceof ControlMessage.Goodbye)) {
                require(believed, message.getClass().getSimpleName() + " is told before the other end proved anything");
            }
        }

        @Override
        public void onFrame(ByteBuffer frame) throws WireException {
            ControlMessage message = decode(frame.duplicate());
            if (message instanceof ControlMessage.ApplicationProofs
                    || message instanceof ControlMessage.ApplicationAnswers) {
                heardProof = true;
            } else if (message instanceof ControlMessage.Pull pull) {
                pulls.put(pull.pullId(), pull.request().application());
            }
            try {
                connection.onFrame(frame);
            } catch (WireException e) {
                require(far instanceof TrustStranger, "the other agent broke the protocol: " + e.getMessage());
                connection.onGarbage(e);
            }
        }

        @Override
        public void onGarbage(WireException cause) {
            throw new AssertionError("frames hold one message each", cause);
        }

        @Override
        public void onClosed(String why) {
            connection.onClosed(why);
        }

        @Override
        public void onGreeted(String host) throws RefusedException {
            if (dial != null && !dial.peer().host().equals(host)) {
                throw new RefusedException(FailureReason.REFUSED, "another host answers");
            }
        }

        @Override
        public void onOpen(PeerConnection opened) {
            adopted = true;
            Peer peer = peers.peer(opened.handshake().peer().agent());
            if (peer == null) {
                throw new AssertionError("there is room for two");
            }
            peer.adopt(opened);
        }

        @Override
        public void onMessage(ControlMessage message) {
            throw new AssertionError(message + " that no fetch waits for");
        }

        @Override
        public void onEnd(PeerConnection ended, FailureReason reason, String detail) {
            if (dial == null) {
                return;
            }
            if (reason != FailureReason.REFUSED || !ended.trust().isUnproven()) {
                failed(dial, reason, detail);
            } else if (dials.remove(dial.peer().host(), dial)) {
                dial.peer().onDialUnproven(detail);
            }
        }

        @Override
        public void onSuperseded(PeerConnection ended) {
            if (dial != null && dials.remove(dial.peer().host(), dial)) {
                dial.peer().onDialSuperseded();
            }
        }

        private static ControlMessage decode(ByteBuffer frame) {
            try {
                return ControlMessage.CODEC.decode(frame);
            } catch (WireException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** An executor that asks for the other host. */
    private static final class Executor implements RouteListener {
        private boolean living = true;

        @Override
        public void onRouteUp(String host) {
            // It fetches when it is told to.
        }

        @Override
        public void onRouteDown(String host, FailureReason reason, String detail) {
            // It fetches when it is told to.
        }
    }

    /** One fetch; there are no blocks, so that all it can be told of a proven peer is that there are none. */
    final class Fetch implements FetchReceiver {
        private final String name;
        private final Executor executor;
        private final long askedNanos;
        private boolean waited;
        private boolean started;
        private boolean ended;
        private boolean reached;

        Fetch(String name, Executor executor, long askedNanos) {
            this.name = name;
            this.executor = executor;
            this.askedNanos = askedNanos;
        }

        /** Returns whether the other agent answered. */
        boolean isReached() {
            return reached;
        }

        private void check(boolean up) {
            waited |= up; // first contact is over: from here on it waits for the application's proof
            require(
                    waited
                            || started
                            || ended
                            || !executor.living
                            || loop.nanoTime() - askedNanos <= TrustWorld.FIRST_CONTACT.toNanos(),
                    name + " waits for longer than first contact may take");
        }

        @Override
        public boolean isWanted() {
            return executor.living;
        }

        @Override
        public void onStarted(Runnable cancel) {
            require(!started && !ended, name + " starts twice");
            started = true;
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public void onBlockFailures(List<BlockFailure> blocks, String detail) {
            reached = true;
        }

        @Override
        public void onDone() {
            end();
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            end();
        }

        private void end() {
            require(!ended, name + " ends twice");
            ended = true;
        }
    }
}
