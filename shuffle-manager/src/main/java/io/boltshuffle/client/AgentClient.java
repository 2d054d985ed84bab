package io.boltshuffle.client;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Connector;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.FramedChannel;
import io.boltshuffle.loop.GuardedLoop;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.SlabShares;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's way to the agent of its host: finds it, or has it started, keeps a session with it, and finds it again
 * when it was lost. As long as there is no session every host is refused, at no cost.
 *
 * <p><b>Threads:</b> safe from any; the work is done on one thread of its own, on which listeners are called.
 */
public final class AgentClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentClient.class);
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ClientStart start;
    private final MeetingPlace place;
    private final EventLoop loop;
    /**
     * Were the loop to end by what a task throws, its socket would close, and the agent reuse memory that is still
     * read.
     */
    private final Loop tasks;

    private final AgentLauncher launcher;
    private final ClientCounters counters = new ClientCounters();
    private final Map<String, Refusal> refusedHosts = new ConcurrentHashMap<>();
    private volatile @Nullable Refusal refusal = new Refusal(FailureReason.AGENT_LOST, "the agent is being looked for");

    private volatile long readAheadBytes;

    // What follows is confined to the loop.
    private final Set<String> expectedHosts = new HashSet<>();
    private @Nullable AgentSession session;
    private long retryNanos = FIRST_RETRY_NANOS;
    private boolean mayLaunch;
    private boolean closed;

    private AgentClient(ClientStart start, MeetingPlace place, EventLoop loop) {
        this.start = start;
        this.place = place;
        this.loop = loop;
        this.tasks = new GuardedLoop(loop, this::onDefect);
        this.launcher = new AgentLauncher(start, place);
        this.mayLaunch = start.settings().get(Options.AGENT_AUTO_START);
    }

    /**
     * Starts to look for the agent and returns at once.
     *
     * @throws IOException if there is no safe place to meet it
     */
    public static AgentClient open(ClientStart start) throws IOException {
        MeetingPlace place = MeetingPlace.open(start.root(), start.host());
        CompletableFuture<AgentClient> opened = new CompletableFuture<>();
        EventLoop loop =
                EventLoop.start("bolt-client", true, cause -> opened.join().onLoopEnd(cause));
        AgentClient client = new AgentClient(start, place, loop);
        opened.complete(client);
        client.tasks.execute(client::connect);
        return client;
    }

    /** Why this host is not reached by RDMA now; empty if it may be tried. Costs a look into a table. */
    public Optional<Refusal> refusal(String host) {
        Refusal general = refusal;
        return general != null ? Optional.of(general) : Optional.ofNullable(refusedHosts.get(HostName.plain(host)));
    }

    /**
     * How much the agent lets this host's tasks together ask for ahead of what they read, in bytes; 0 without an agent.
     */
    public long readAheadBytes() {
        return readAheadBytes;
    }

    /**
     * Starts a fetch. Every block is answered on the listener a second after its {@link FetchDeadline} at the latest.
     */
    public void fetch(FetchRequest request, FetchListener listener) {
        long timeoutNanos = start.settings().get(Options.FETCH_TIMEOUT).toNanos();
        tasks.execute(() -> {
            AgentSession current = session;
            if (current != null) {
                current.fetch(request, timeoutNanos, listener);
            } else {
                AgentSession.refuse(listener, request.blocks().size());
            }
        });
    }

    /**
     * Says which hosts will be asked, so that contact is made before somebody waits for it. Costs nothing when
     * repeated.
     */
    public void expect(Collection<String> hosts) {
        List<String> plain = hosts.stream().map(HostName::plain).toList();
        tasks.execute(() -> {
            if (expectedHosts.addAll(plain) && session != null) {
                session.expect(expectedHosts);
            }
        });
    }

    public ClientCounters counters() {
        return counters;
    }

    /** Fails what is under way and ends the session. Bytes that were fetched before stay readable. */
    @Override
    public void close() {
        tasks.execute(() -> {
            closed = true;
            if (session != null) {
                session.abandon(FailureReason.STOPPING, "the executor stops");
            }
        });
        loop.close();
    }

    /** Something broke that a session stood for: it is given up, and open until what was fetched by it is released. */
    private void onDefect(Throwable cause) {
        LOG.error("defect in the client of the node agent", cause);
        if (session != null) {
            session.abandon(FailureReason.AGENT_LOST, "a defect on this side: " + cause);
        }
    }

    /** On the loop's thread, as the last thing it does. */
    private void onLoopEnd(@Nullable Throwable cause) {
        if (cause == null) {
            return;
        }
        LOG.error("defect in the client of the node agent; blocks go by TCP from now on", cause);
        closed = true;
        Refusal why = new Refusal(FailureReason.AGENT_LOST, "a defect in the client of the node agent: " + cause);
        refuseAll(why);
        if (session != null) {
            session.abandon(why.reason(), why.detail());
        }
    }

    private void connect() {
        if (closed) {
            return;
        }
        try {
            Connector.start(
                    loop,
                    SocketChannel.open(StandardProtocolFamily.UNIX),
                    UnixDomainSocketAddress.of(place.socket()),
                    CONNECT_NANOS,
                    this::onConnected,
                    this::onNotConnected);
        } catch (IOException | RuntimeException | Error e) {
            onNotConnected(e);
        }
    }

    private void onConnected(SocketChannel channel) {
        long silence = start.settings().get(Options.AGENT_HEARTBEAT_TIMEOUT).toNanos();
        AgentSession next = new AgentSession(tasks, start.registration(), new SessionEvents(), counters, silence);
        try {
            next.start(FramedChannel.open(channel, loop, next));
            session = next;
        } catch (IOException | RuntimeException | Error e) {
            abandon(channel);
            onNotConnected(e);
        }
    }

    private static void abandon(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is gone all the same.
        }
    }

    private void onNotConnected(Throwable cause) {
        if (!mayLaunch) {
            refuseAll(new Refusal(FailureReason.AGENT_LOST, "no agent answers at " + place.socket() + ": " + cause));
            retryLater();
            return;
        }
        launcher.launch(outcome -> tasks.execute(() -> onLaunched(outcome)));
    }

    private void onLaunched(AgentLauncher.Outcome outcome) {
        if (outcome.running()) {
            connect();
            return;
        }
        if (outcome.giveUp()) {
            mayLaunch = false;
        }
        refuseAll(new Refusal(FailureReason.AGENT_LOST, "it did not start: " + outcome.detail()));
        retryLater();
    }

    private void retryLater() {
        if (!closed) {
            tasks.after(retryNanos, this::connect);
            retryNanos = Math.min(LONGEST_RETRY_NANOS, 2 * retryNanos);
        }
    }

    /** Said once for each new reason, not for each attempt. */
    private void refuseAll(Refusal why) {
        if (!closed && !why.equals(refusal)) {
            LOG.warn("no agent for {}, blocks go by TCP: {}", start.host(), why.detail());
        }
        refusal = why;
        readAheadBytes = 0;
        refusedHosts.clear();
    }

    /** What happens to the session in use. */
    private final class SessionEvents implements AgentSession.Listener {
        @Override
        public void onReady(AgentSession ready) {
            retryNanos = FIRST_RETRY_NANOS;
            readAheadBytes = new SlabShares(ready.slabBytes()).readAhead();
            refusal = null;
            ready.expect(expectedHosts);
            LOG.info("connected to the agent of {} at {}", start.host(), place.socket());
        }

        @Override
        public void onRoute(String host, @Nullable Refusal why) {
            if (why == null) {
                refusedHosts.remove(host);
                LOG.info("{} is reachable by RDMA", host);
            } else {
                refusedHosts.put(host, why);
                LOG.info("{} is not reachable by RDMA: {}: {}", host, why.reason(), why.detail());
            }
        }

        @Override
        public void onLost(AgentSession lost, Refusal why) {
            if (lost != session) {
                return; // it broke as it was made, and another attempt is under way
            }
            session = null;
            refuseAll(why);
            retryLater();
        }
    }
}
