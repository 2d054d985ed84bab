package io.boltshuffle.agent.session;

import io.boltshuffle.agent.cable.Neighbours;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.peer.RemoteHosts;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.FramedChannel;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.wire.AgentMessage;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All sessions on the agent's socket.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class ExecutorSessions {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorSessions.class);
    private static final int MAX_SESSIONS = 1024;

    /** The agent as a whole. */
    public interface Listener {
        /** An executor came or went. */
        void onChanged();

        String statusJson();

        /** @param seconds for which RDMA is not to be used; 0 if it is to be used again */
        void onPause(long seconds);
    }

    private final PullServices fetching;
    private final ServedFiles served;
    private final Optional<Topology> topology;
    private final RemoteHosts peers;
    private final AgentMessage.Welcome welcome;
    private final Listener listener;
    private final Set<ExecutorSession> open = new LinkedHashSet<>();

    /** @param topology which hosts are cabled to each other, if a file says so */
    public ExecutorSessions(
            PullServices fetching,
            ServedFiles served,
            Optional<Topology> topology,
            RemoteHosts peers,
            AgentMessage.Welcome welcome,
            Listener listener) {
        this.fetching = fetching;
        this.served = served;
        this.topology = topology;
        this.peers = peers;
        this.welcome = welcome;
        this.listener = listener;
    }

    public void accept(SocketChannel channel, EventLoop loop) {
        try {
            if (open.size() >= MAX_SESSIONS) {
                LOG.warn("{} sessions are open, another is turned away", open.size());
                channel.close();
                return;
            }
            ExecutorSession session = newSession();
            session.start(FramedChannel.open(channel, loop, session));
            open.add(session);
        } catch (IOException e) {
            LOG.warn("a session broke before it began: {}", e.toString());
        }
    }

    ExecutorSession newSession() {
        return new ExecutorSession(this, peers, fetching, served);
    }

    AgentMessage.Welcome welcome() {
        return welcome;
    }

    String statusJson() {
        return listener.statusJson();
    }

    void onPause(long seconds) {
        listener.onPause(seconds);
    }

    /** Makes contact with hosts that will be asked. */
    void expect(ExecutorSession session, List<String> hosts) {
        peers.expect(
                session,
                hosts.stream().filter(host -> !host.equals(welcome.agent())).toList());
    }

    void onRegistered(ExecutorSession session) {
        expect(session, Neighbours.of(welcome.agent(), topology));
        listener.onChanged();
    }

    void onEnded(ExecutorSession session) {
        if (open.remove(session)) {
            peers.forget(session);
            forgetEnded();
            listener.onChanged();
        }
    }

    /** Forgets the applications that have neither a session nor a directory. */
    public void forgetEnded() {
        served.applications().forgetEnded(this::applicationsInSession);
    }

    public int executorCount() {
        return (int) open.stream().filter(ExecutorSession::isExecutor).count();
    }

    public List<ExecutorStatus> status() {
        return open.stream()
                .filter(ExecutorSession::isExecutor)
                .map(ExecutorSession::status)
                .toList();
    }

    public void close(String why) {
        List.copyOf(open).forEach(session -> session.goodbye(why));
    }

    private Set<String> applicationsInSession() {
        return open.stream()
                .filter(ExecutorSession::isExecutor)
                .map(ExecutorSession::application)
                .collect(Collectors.toSet());
    }
}
