package io.boltshuffle.agent;

import io.boltshuffle.agent.cable.PausablePorts;
import io.boltshuffle.agent.files.HangingReads;
import io.boltshuffle.agent.peer.ControlPort;
import io.boltshuffle.agent.peer.Peer;
import io.boltshuffle.agent.peer.PeerServices;
import io.boltshuffle.agent.peer.Peers;
import io.boltshuffle.agent.session.ExecutorSessions;
import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Acceptor;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an agent that live on its loop, put together: executors on one side, peers on the other.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class AgentParts {

    private static final Logger LOG = LoggerFactory.getLogger(AgentParts.class);
    private static final int BACKLOG = 128;
    private static final long SAMPLE_NANOS = 1_000_000_000;
    private static final long FORGET_NANOS = 5_000_000_000L;

    private final AgentStart start;
    private final PeerServices services;
    private final Supplier<List<HangingReads>> hangingReads;
    private final EventLoop loop;
    private final PausablePorts ports;
    private final boolean clusterSecret;
    private final long startedNanos = System.nanoTime();
    private final Consumer<String> stop;
    private final Peers peers;
    private final ControlPort control;
    private final Pause pause;
    private final ExecutorSessions sessions;
    private @Nullable Acceptor socket;
    private Loop.@Nullable Timer idle;

    AgentParts(
            AgentStart start,
            PeerServices services,
            Supplier<List<HangingReads>> hangingReads,
            EventLoop loop,
            PausablePorts ports,
            ControlPort.Access access,
            AgentMessage.Welcome welcome,
            Consumer<String> stop) {
        this.start = start;
        this.services = services;
        this.hangingReads = hangingReads;
        this.loop = loop;
        this.ports = ports;
        this.clusterSecret = access.clusterSecret().isPresent();
        this.stop = stop;
        this.peers = new Peers(services.clock(), this::newPeer);
        this.control = new ControlPort(services, loop, access, peers::peer);
        this.pause = new Pause(start.host(), ports, peers, loop, services.clock());
        this.sessions = new ExecutorSessions(
                services.fetching(),
                services.serving().served(),
                services.topology(),
                peers,
                welcome,
                new SessionEvents());
    }

    /** Opens both doors: to other agents first, so that an executor that finds the socket finds a working agent. */
    void listen(List<ServerSocketChannel> bound, MeetingPlace place) throws IOException {
        control.listen(bound);
        listenForExecutors(place);
        onSessionsChanged();
        loop.after(SAMPLE_NANOS, this::sample);
        loop.after(FORGET_NANOS, this::forget);
    }

    /** Opens the socket of executors, again if it was open: sessions stay as they are. */
    void listenForExecutors(MeetingPlace place) throws IOException {
        if (socket != null) {
            socket.close();
        }
        Files.deleteIfExists(place.socket());
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(place.socket()), BACKLOG);
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
        socket = Acceptor.open(
                loop,
                server,
                channel -> sessions.accept(channel, loop),
                e -> LOG.warn("sessions cannot be taken, and are tried again: {}", e.toString()));
    }

    private void sample() {
        peers.sample(loop.nanoTime());
        loop.after(SAMPLE_NANOS, this::sample);
    }

    /** Spark deletes an executor's directories after its session has ended. */
    private void forget() {
        sessions.forgetEnded();
        loop.after(FORGET_NANOS, this::forget);
    }

    void close(String why) throws IOException {
        if (socket != null) {
            socket.close();
        }
        control.close(why);
        peers.close(why);
        sessions.close(why);
        services.serving().copies().close();
    }

    private Peer newPeer(String host, Peer.Owner owner) {
        return new Peer(host, services, control, ports, owner);
    }

    private void onSessionsChanged() {
        if (sessions.executorCount() > 0) {
            if (idle != null) {
                idle.cancel();
                idle = null;
            }
        } else if (start.endWhenIdle() && idle == null) {
            long nanos = start.settings().get(Options.AGENT_IDLE_TIMEOUT).toNanos();
            idle = loop.after(nanos, () -> stop.accept("no executors for a while"));
        }
    }

    /** Handles what sessions ask of the agent as a whole. */
    private final class SessionEvents implements ExecutorSessions.Listener {
        @Override
        public void onChanged() {
            onSessionsChanged();
        }

        @Override
        public String statusJson() {
            return AgentParts.this.statusJson();
        }

        @Override
        public void onPause(long seconds) {
            pause.set(seconds);
        }
    }

    private String statusJson() {
        return new AgentStatus(
                        start.host(),
                        ProcessHandle.current().pid(),
                        (System.nanoTime() - startedNanos) / 1_000_000,
                        ports.provider(),
                        control.listening(),
                        clusterSecret,
                        pause.until(),
                        services.serving().served().applications().executors(),
                        sessions.status(),
                        peers.status(),
                        ports.status(),
                        AgentStatus.Memory.of(
                                services.serving().pool().snapshot(),
                                services.serving().budget().usedBytes(),
                                services.fetching().pinned().pinnedBytes()),
                        services.serving().copies().status(),
                        hangingReads.get(),
                        services.serving().counters().values())
                .toJson();
    }
}
