package io.boltshuffle.client;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Connector;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.FramedChannel;
import io.boltshuffle.loop.GuardedLoop;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.SlabShares;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
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
import org.slf4j.event.Level;

/**
 * Connects an executor to the agent of its host. The client finds the agent or starts it, keeps a session with it, and
 * finds it again after the session was lost. While there is no session, the client refuses every host at no cost. Only
 * what is asked for while it first meets an agent waits for that, for a second at most.
 *
 * <p><b>Threads:</b> any thread may call this class. The work is done on one thread of the client, which also calls the
 * listeners, or, while that sleeps, on the thread that fetches.
 */
public final class AgentClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentClient.class);
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FIRST_MEETING_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Refusal LOOKING = new Refusal(FailureReason.AGENT_LOST, "the agent is being looked for");

    /** The refusal of a broken client, made beforehand, because there may be no memory left to make it. */
    private static final Refusal BROKEN =
            new Refusal(FailureReason.AGENT_LOST, "a defect in the client of the node agent; its log has it");

    private final ClientStart start;
    private final MeetingPlace place;
    private final EventLoop loop;
    /**
     * This loop catches what a task throws. If the loop ended instead, its socket would close, and the agent would
     * reuse memory that tasks still read.
     */
    private final Loop tasks;

    private final AgentLauncher launcher;
    private final ClientCounters counters = new ClientCounters();
    private final Map<String, Refusal> refusedHosts = new ConcurrentHashMap<>();
    private final Set<String> reachedHosts = ConcurrentHashMap.newKeySet();
    /** Null while there is a session, or the first one is being opened. */
    private volatile @Nullable Refusal refusal;

    private volatile long readAheadBytes;

    // The fields below are confined to the loop.
    private final EarlyFetches early = new EarlyFetches();
    private final Set<String> expectedHosts = new HashSet<>();
    private @Nullable AgentSession session;
    private @Nullable LayOutHandler handler;
    private long retryNanos = FIRST_RETRY_NANOS;
    private boolean mayLaunch;
    private @Nullable Refusal givenUp;
    private boolean hasMet;
    private boolean closed;

    private AgentClient(ClientStart start, MeetingPlace place, EventLoop loop) {
        this.start = start;
        this.place = place;
        this.loop = loop;
        this.tasks = new GuardedLoop(loop, this::onDefect);
        this.launcher = new AgentLauncher(start, place);
        this.mayLaunch = start.settings().get(Options.AGENT_AUTO_START);
        this.refusal = Files.exists(place.socket()) ? null : LOOKING;
    }

    /**
     * Starts to look for the agent and returns at once.
     *
     * @throws IOException if there is no safe directory in which to meet the agent, or the file of a trace cannot be
     *     opened
     */
    public static AgentClient open(ClientStart start) throws IOException {
        FetchTrace.appendTo(start.settings().get(Options.FETCH_TRACE));
        MeetingPlace place = MeetingPlace.open(start.root(), start.host());
        CompletableFuture<AgentClient> opened = new CompletableFuture<>();
        EventLoop loop =
                EventLoop.start("bolt-client", true, cause -> opened.join().onLoopEnd(cause));
        AgentClient client = new AgentClient(start, place, loop);
        opened.complete(client);
        client.tasks.execute(() -> {
            client.tasks.after(FIRST_MEETING_NANOS, client::onLateMeeting);
            client.connect();
        });
        return client;
    }

    /** Returns why RDMA cannot reach this host now, or empty if a fetch may try. A call costs one table look-up. */
    public Optional<Refusal> refusal(String host) {
        Refusal general = refusal;
        return general != null ? Optional.of(general) : Optional.ofNullable(refusedHosts.get(HostName.plain(host)));
    }

    /**
     * Returns whether RDMA reaches this host now. Of a host that was not announced or asked yet, that is not known; a
     * fetch from it would wait for first contact. A call costs one table look-up.
     */
    public boolean reaches(String host) {
        return reachedHosts.contains(HostName.plain(host));
    }

    /**
     * Returns how many bytes all tasks of this host together may request ahead of what they read; 0 without an agent.
     */
    public long readAheadBytes() {
        return readAheadBytes;
    }

    /**
     * Starts a fetch. The listener gets an answer for every block, at the latest one second after its
     * {@link FetchDeadline}, which begins once the first agent was met; if there is no agent, perhaps before this
     * returns and on the thread of the caller. After a defect of the client, too: an answer may then come twice for a
     * block, of which the first counts.
     */
    public void fetch(FetchRequest request, FetchListener listener) {
        FetchTrace.step(FetchStep.ASKED);
        long timeoutNanos = start.settings().get(Options.FETCH_TIMEOUT).toNanos();
        EarlyFetches.Fetch asked = new EarlyFetches.Fetch(request, timeoutNanos, listener);
        tasks.hurry(() -> fetch(asked), asked::refuse);
    }

    private void fetch(EarlyFetches.Fetch asked) {
        try {
            if (early.keep(asked)) {
                return;
            }
            AgentSession current = session;
            if (current == null) {
                asked.refuse();
            } else {
                current.fetch(asked.request(), asked.timeoutNanos(), asked.listener());
            }
        } catch (RuntimeException | Error e) {
            asked.refuse();
            throw e;
        }
    }

    /**
     * Announces the hosts that will be asked, so that the agent connects to them before a task waits for them. Repeated
     * calls cost nothing.
     */
    public void expect(Collection<String> hosts) {
        List<String> plain = hosts.stream().map(HostName::plain).toList();
        tasks.execute(() -> {
            if (expectedHosts.addAll(plain) && session != null) {
                session.expect(expectedHosts);
            }
        });
    }

    /** Lets the agent ask this process for blocks of its memory, now and in later sessions. */
    public void serve(LayOutHandler layOutHandler) {
        tasks.execute(() -> {
            handler = layOutHandler;
            if (session != null) {
                session.serve(layOutHandler);
            }
        });
    }

    public ClientCounters counters() {
        return counters;
    }

    /** Returns the client's loop. Only tests ask: they break it. */
    EventLoop loop() {
        return loop;
    }

    /**
     * Fails what is under way and ends the session. Bytes that were fetched before stay readable: their session, and
     * this client's thread, end only when the last of them are released, or with the process.
     */
    @Override
    public void close() {
        tasks.execute(() -> {
            closed = true;
            early.end(EarlyFetches.Fetch::refuse);
            if (session != null) {
                session.abandon(FailureReason.STOPPING, "the executor stops");
            }
        });
        loop.closeOnceUnneeded();
    }

    /** Gives the session up after a defect. Its socket stays open until all bytes that it fetched are released. */
    private void onDefect(Throwable cause) {
        LOG.error("defect in the client of the node agent", cause);
        if (session != null) {
            session.abandon(FailureReason.AGENT_LOST, "a defect on this side: " + cause);
        }
    }

    /** Runs on the loop's thread once nothing else runs there. Whatever breaks here, too, no task waits for ever. */
    private void onLoopEnd(@Nullable Throwable cause) {
        if (cause == null) {
            return;
        }
        closed = true;
        refuseAll(BROKEN);
        try {
            LOG.error("defect in the client of the node agent; blocks go by TCP from now on", cause);
        } finally {
            early.end(EarlyFetches.Fetch::refuse);
            if (session != null) {
                session.abandon(BROKEN.reason(), BROKEN.detail());
            }
        }
    }

    /** Waits no longer for the first agent. Its session may still come about. */
    private void onLateMeeting() {
        if (!hasMet && refusal == null) {
            refuseAll(new Refusal(
                    FailureReason.AGENT_LOST,
                    "the agent has not answered within " + TimeUnit.NANOSECONDS.toMillis(FIRST_MEETING_NANOS) + " ms"));
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
        if (closed) {
            abandon(channel);
            return;
        }
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
            // The descriptor is gone even if close() fails.
        }
    }

    private void onNotConnected(Throwable cause) {
        if (!mayLaunch) {
            refuseAll(
                    givenUp != null
                            ? givenUp
                            : new Refusal(
                                    FailureReason.AGENT_LOST, "no agent answers at " + place.socket() + ": " + cause));
            retryLater();
            return;
        }
        early.end(EarlyFetches.Fetch::refuse);
        if (refusal == null) {
            refusal = LOOKING;
        }
        try {
            launcher.launch(outcome -> tasks.execute(() -> onLaunched(outcome)));
        } catch (RuntimeException | Error e) { // no thread can be had
            onLaunched(AgentLauncher.Outcome.failed(e.toString()));
        }
    }

    private void onLaunched(AgentLauncher.Outcome outcome) {
        if (outcome.running()) {
            connect();
            return;
        }
        Refusal why = new Refusal(FailureReason.AGENT_LOST, "it did not start: " + outcome.detail());
        if (outcome.giveUp()) {
            mayLaunch = false;
            givenUp = why;
        }
        refuseAll(why);
        retryLater();
    }

    private void retryLater() {
        if (!closed) {
            tasks.after(retryNanos, this::connect);
            retryNanos = Math.min(LONGEST_RETRY_NANOS, 2 * retryNanos);
        }
    }

    /** Logs each new reason once, not once for each attempt. */
    private void refuseAll(Refusal why) {
        if (!closed && !why.equals(refusal)) {
            boolean isExpected = start.onlyWithCable() && !hasMet;
            LOG.atLevel(isExpected ? Level.INFO : Level.WARN)
                    .log("no agent for {}, blocks go by TCP: {}", start.host(), why.detail());
        }
        refuse(why);
    }

    private void refuse(Refusal why) {
        refusal = why;
        readAheadBytes = 0;
        refusedHosts.clear();
        reachedHosts.clear();
        early.end(EarlyFetches.Fetch::refuse);
    }

    /** Handles the events of the session in use. */
    private final class SessionEvents implements AgentSession.Listener {
        @Override
        public void onReady(AgentSession ready) {
            retryNanos = FIRST_RETRY_NANOS;
            givenUp = null;
            hasMet = true;
            refusal = null;
            readAheadBytes = new SlabShares(ready.slabBytes()).readAhead();
            ready.expect(expectedHosts);
            if (handler != null) {
                ready.serve(handler);
            }
            early.end(AgentClient.this::fetch);
            LOG.info("connected to the agent of {} at {}", start.host(), place.socket());
        }

        @Override
        public void onRoute(String host, @Nullable Refusal why) {
            if (why == null) {
                refusedHosts.remove(host);
                reachedHosts.add(host);
                LOG.info("{} is reachable by RDMA", host);
            } else {
                reachedHosts.remove(host);
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
