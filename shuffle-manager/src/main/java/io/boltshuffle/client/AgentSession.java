package io.boltshuffle.client;

import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents one connection to the agent, from greeting to end.
 *
 * <p><b>Invariant:</b> the socket stays open as long as this process reads bytes of the agent's slab, even after the
 * session was given up. To the agent, the end of the socket means that this process reads none of them any more.
 *
 * <p><b>Threads:</b> confined to the client's loop.
 */
final class AgentSession implements FrameListener {

    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);

    /** This side gives a fetch up so much later than the agent does. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private enum State {
        GREETING,
        REGISTERING,
        READY,
        /** The session was given up, and those who wait are told. */
        GIVING_UP,
        /** It stays open only until all fetched bytes are released. */
        ABANDONED,
        CLOSED
    }

    /** Tells the client what happens to the session. The session calls it on the loop. */
    interface Listener {
        void onReady(AgentSession session);

        void onRoute(String host, @Nullable Refusal refusal);

        /** The session cannot be used any more. The session calls this once. */
        void onLost(AgentSession session, Refusal why);
    }

    private final Loop loop;
    private final Registration registration;
    private final Listener listener;
    private final ClientCounters counters;
    private final long silenceNanos;
    private final Map<Long, PendingFetch> fetches = new HashMap<>();

    private State state = State.GREETING;
    private @Nullable FramePipe pipe;
    private @Nullable LeasedSlab slab;
    private @Nullable LayOuts layOuts;
    private Loop.@Nullable Timer ping;
    private long nextRequestId;
    private long lastHeardNanos;

    /** @param silenceNanos after this long without an answer the agent counts as dead */
    AgentSession(Loop loop, Registration registration, Listener listener, ClientCounters counters, long silenceNanos) {
        this.loop = loop;
        this.registration = registration;
        this.listener = listener;
        this.counters = counters;
        this.silenceNanos = silenceNanos;
    }

    void start(FramePipe openPipe) {
        pipe = openPipe;
        lastHeardNanos = loop.nanoTime();
        send(new ExecutorMessage.Hello(
                WireLimits.SESSION_VERSION,
                "executor " + registration.executor() + " of " + registration.application()));
        ping = loop.after(silenceNanos / 4, this::checkSilence);
    }

    /** Starts a fetch. */
    void fetch(FetchRequest request, long timeoutNanos, FetchListener fetchListener) {
        if (state != State.READY || !begin(request, timeoutNanos, fetchListener)) {
            refuse(fetchListener, request.blocks().size());
        }
    }

    /** Fails blocks that belong to no session. */
    static void refuse(FetchListener listener, int blocks) {
        for (int block = 0; block < blocks; block++) {
            try {
                listener.onFailed(block, FailureReason.AGENT_LOST, "the agent is not connected");
            } catch (RuntimeException | Error e) {
                LOG.error("a listener broke; it hears of its other blocks all the same", e);
            }
        }
    }

    /**
     * Sends a request.
     *
     * @return whether the session answers for these blocks, even if the answer is that a defect ends the session
     */
    private boolean begin(FetchRequest request, long timeoutNanos, FetchListener fetchListener) {
        long id = nextRequestId++;
        boolean registered = false;
        try {
            PendingFetch.Watch watch = new PendingFetch.Watch(
                    loop,
                    new FetchDeadline(loop.nanoTime(), timeoutNanos),
                    GRACE_NANOS,
                    () -> endFetch(id, FailureReason.DEADLINE, "the agent did not answer in time"));
            fetches.put(id, new PendingFetch(fetchListener, request.blocks().size(), watch));
            registered = true;
            FetchTrace.step(FetchStep.FETCH_SENT);
            send(new ExecutorMessage.Fetch(
                    id,
                    request.host(),
                    request.executor(),
                    request.owner(),
                    TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                    request.blocks()));
        } catch (RuntimeException | Error e) {
            LOG.error("defect in the session with the agent, which is given up", e);
            abandon(FailureReason.AGENT_LOST, "a defect on this side: " + e);
        }
        return registered;
    }

    /** Returns the size of the agent's memory in bytes; 0 before the agent's greeting. */
    long slabBytes() {
        return slab == null ? 0 : slab.bytes();
    }

    /** Tells the agent that it may ask this process for blocks. */
    void serve(LayOutHandler handler) {
        if (state != State.READY || slab == null) {
            return;
        }
        try {
            slab.openForWriting();
        } catch (SlabException e) {
            LOG.warn("blocks of this process's memory go by TCP: the agent's slab: {}", e.getMessage());
            return;
        }
        layOuts = new LayOuts(loop, handler, slab, this::send);
        send(new ExecutorMessage.OwnsBlocks());
    }

    /** Announces the hosts that will be asked. */
    void expect(Collection<String> hosts) {
        if (state == State.READY) {
            send(new ExecutorMessage.Expect(
                    hosts.stream().limit(WireLimits.MAX_HOSTS).toList()));
        }
    }

    /**
     * Gives the session up. Fetches that are under way fail; fetched bytes stay readable. If an earlier call broke half
     * way, this one tells those who were not told.
     */
    void abandon(FailureReason reason, String detail) {
        if (state == State.ABANDONED || state == State.CLOSED) {
            return;
        }
        state = State.GIVING_UP;
        if (ping != null) {
            ping.cancel();
        }
        failOpen(reason, detail);
        state = State.ABANDONED;
        closeIfUnread();
        listener.onLost(this, new Refusal(reason, detail));
    }

    private void failOpen(FailureReason reason, String detail) {
        while (!fetches.isEmpty()) {
            long id = fetches.keySet().iterator().next();
            failRest(fetches.get(id), reason, detail);
            fetches.remove(id);
        }
        if (layOuts != null) {
            layOuts.end(detail);
        }
    }

    /** A listener that throws must not keep the others from being called. */
    private static void failRest(@Nullable PendingFetch fetch, FailureReason reason, String detail) {
        try {
            if (fetch != null) {
                fetch.failRest(reason, detail);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("a listener broke as its fetch was given up", e);
        }
    }

    @Override
    public void onFrame(ByteBuffer frame) throws WireException {
        lastHeardNanos = loop.nanoTime();
        try {
            onMessage(AgentMessage.CODEC.decode(frame));
        } catch (RuntimeException | Error e) {
            // A defect must end neither channel nor loop: other tasks still read what the agent keeps for this session.
            LOG.error("defect in the session with the agent, which is given up", e);
            throw new WireException("a defect on this side: " + e);
        }
    }

    private void onMessage(AgentMessage message) throws WireException {
        if (message instanceof AgentMessage.Blocks blocks) {
            onBlocks(blocks);
        } else if (message instanceof AgentMessage.BlockFailures failures) {
            onBlockFailures(failures);
        } else if (message instanceof AgentMessage.Done done) {
            onDone(done.requestId());
        } else if (message instanceof AgentMessage.Failed failed) {
            endFetch(failed.requestId(), failed.reason(), failed.detail());
        } else if (layOuts != null && message instanceof AgentMessage.LayOut ask) {
            layOuts.onAsked(ask);
        } else if (layOuts != null && message instanceof AgentMessage.LayHere here) {
            layOuts.onMemory(here);
        } else if (layOuts != null && message instanceof AgentMessage.Unwanted unwanted) {
            layOuts.onUnwanted(unwanted.askId());
        } else {
            onStateMessage(message);
        }
    }

    private void onStateMessage(AgentMessage message) throws WireException {
        if (message instanceof AgentMessage.RouteUp up) {
            listener.onRoute(up.host(), null);
        } else if (message instanceof AgentMessage.RouteDown down) {
            listener.onRoute(down.host(), new Refusal(down.reason(), down.detail()));
        } else if (message instanceof AgentMessage.Goodbye goodbye) {
            abandon(FailureReason.STOPPING, "the agent stops: " + goodbye.detail());
        } else if (message instanceof AgentMessage.Refused refused) {
            abandon(refused.reason(), "the agent refuses: " + refused.detail());
        } else if (message instanceof AgentMessage.Welcome welcome && state == State.GREETING) {
            onWelcome(welcome);
        } else if (message instanceof AgentMessage.Registered && state == State.REGISTERING) {
            state = State.READY;
            listener.onReady(this);
        } else if (!(message instanceof AgentMessage.Pong)) {
            throw new WireException(message.getClass().getSimpleName() + " while the session is " + state);
        }
    }

    @Override
    public void onGarbage(WireException cause) {
        abandon(FailureReason.PROTOCOL, String.valueOf(cause.getMessage()));
    }

    @Override
    public void onClosed(String why) {
        abandon(FailureReason.AGENT_LOST, "the agent's socket closed: " + why);
        close();
    }

    /**
     * Keeps the socket open until all fetched bytes are released. The agent gets no single RELEASE any more, but the
     * end of the socket releases everything.
     */
    @Override
    public boolean onMuted(String why) {
        abandon(FailureReason.AGENT_LOST, "nothing more can be sent to the agent: " + why);
        return isReading();
    }

    @Override
    public boolean usesMemoryOfOtherEnd() {
        return isReading();
    }

    private boolean isReading() {
        return slab != null && slab.isLeased();
    }

    private void onWelcome(AgentMessage.Welcome welcome) {
        try {
            slab = LeasedSlab.map(welcome.slab(), loop, counters, this::giveBack);
        } catch (SlabException | IllegalArgumentException e) {
            abandon(FailureReason.AGENT_LOST, "the agent's slab cannot be mapped: " + e.getMessage());
            return;
        }
        state = State.REGISTERING;
        send(new ExecutorMessage.Register(registration));
    }

    private LeasedSlab mapped() throws WireException {
        if (slab == null) {
            throw new WireException("memory before the agent named its slab");
        }
        return slab;
    }

    private void onBlocks(AgentMessage.Blocks blocks) throws WireException {
        PendingFetch fetch = fetches.get(blocks.requestId());
        FetchTrace.step(FetchStep.DELIVERED);
        mapped().deliver(blocks, fetch);
        if (fetch != null && fetch.isComplete()) {
            // The agent's DONE carries no news, but the fetch is kept until it comes.
            fetch.done();
        }
    }

    /** Tells the agent that this process uses a lease no more. */
    private void giveBack(ExecutorMessage message) {
        send(message);
        closeIfUnread();
    }

    private void onBlockFailures(AgentMessage.BlockFailures failures) throws WireException {
        PendingFetch fetch = fetches.get(failures.requestId());
        if (fetch != null) {
            fetch.progress(0);
            for (BlockFailure failure : failures.failures()) {
                fetch.onBlockFailed(failure.blockIndex(), failure.reason(), failures.detail());
            }
        }
    }

    private void onDone(long requestId) throws WireException {
        PendingFetch fetch = fetches.remove(requestId);
        if (fetch != null) {
            boolean complete = fetch.isComplete();
            fetch.failRest(FailureReason.PROTOCOL, "the agent forgot the block");
            if (!complete) {
                throw new WireException("fetch " + requestId + " is done, but not every block was answered");
            }
        }
    }

    private void endFetch(long requestId, FailureReason reason, String detail) {
        PendingFetch fetch = fetches.get(requestId);
        if (fetch != null) {
            fetch.failRest(reason, detail);
            fetches.remove(requestId);
        }
    }

    /** Asks the agent for a sign of life, because a stopped agent neither answers nor closes its socket. */
    private void checkSilence() {
        long silent = loop.nanoTime() - lastHeardNanos;
        if (silent > silenceNanos) {
            abandon(
                    FailureReason.AGENT_LOST,
                    "the agent was silent for " + TimeUnit.NANOSECONDS.toMillis(silent) + " ms");
            return;
        }
        if (state == State.READY) {
            send(new ExecutorMessage.Ping(nextRequestId));
        }
        ping = loop.after(silenceNanos / 4, this::checkSilence);
    }

    private void closeIfUnread() {
        if (state == State.ABANDONED && !isReading()) {
            close();
        }
    }

    private void close() {
        state = State.CLOSED;
        if (pipe != null) {
            pipe.closeAfterSending();
        }
        if (slab != null) {
            slab.close();
        }
    }

    private void send(ExecutorMessage message) {
        if (pipe != null && state != State.CLOSED) {
            pipe.send(ExecutorMessage.CODEC.encode(message));
        }
    }
}
