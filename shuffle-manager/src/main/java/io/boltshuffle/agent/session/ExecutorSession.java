package io.boltshuffle.agent.session;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.live.BlockOwner;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.peer.RemoteHosts;
import io.boltshuffle.agent.peer.RouteListener;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One executor, or one person's command, on the agent's socket.
 *
 * <p><b>Invariant:</b> memory that was handed out comes back by the executor's RELEASE, or when its end of the socket
 * closes: only then is it certain that no task reads it. This end never closes a session with memory out; it stops
 * listening to it.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class ExecutorSession implements FrameListener, RouteListener, BlockOwner {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorSession.class);

    /** Fetches of one executor at once. Spark asks for a few per task. */
    private static final int MAX_FETCHES = 4096;

    private enum State {
        GREETING,
        GREETED,
        REGISTERED,
        /** Refused or ending: waits for the other end to close. */
        DEAF,
        ENDED
    }

    private record HandedOut(Lease lease, LeaseOwner owner) {}

    private final ExecutorSessions sessions;
    private final RemoteHosts peers;
    private final PullServices fetching;
    private final ServedFiles served;
    private final Map<Long, HandedOut> handedOut = new HashMap<>();
    private final Map<Long, Receiver> fetches = new HashMap<>();
    private State state = State.GREETING;
    private String client = "";
    private @Nullable FramePipe pipe;
    private @Nullable Registration registration;

    ExecutorSession(ExecutorSessions sessions, RemoteHosts peers, PullServices fetching, ServedFiles served) {
        this.sessions = sessions;
        this.peers = peers;
        this.fetching = fetching;
        this.served = served;
    }

    void start(FramePipe openPipe) {
        pipe = openPipe;
    }

    @Override
    public void onFrame(ByteBuffer frame) throws WireException {
        ExecutorMessage message = ExecutorMessage.CODEC.decode(frame);
        if (isAboutLiveBlock(message)) {
            return;
        }
        if (message instanceof ExecutorMessage.Release release) {
            release(release.leaseId());
        } else if (message instanceof ExecutorMessage.Bye) {
            end();
        } else if (state == State.GREETING && message instanceof ExecutorMessage.Hello hello) {
            onHello(hello);
        } else if (state == State.GREETED && message instanceof ExecutorMessage.Register register) {
            onRegister(register.registration());
        } else if (state == State.REGISTERED && message instanceof ExecutorMessage.Fetch fetch) {
            onFetch(fetch);
        } else if (state == State.REGISTERED && message instanceof ExecutorMessage.Expect expect) {
            sessions.expect(this, expect.hosts());
        } else if (state == State.REGISTERED && message instanceof ExecutorMessage.OwnsBlocks) {
            served.live()
                    .add(application(), Objects.requireNonNull(registration).executor(), this);
        } else if (state == State.GREETED || state == State.REGISTERED) {
            onQuestion(message);
        } else if (state != State.DEAF) {
            throw unexpected(message);
        }
    }

    /** Answers to questions for blocks count in any state: memory that was lent comes back by them. */
    private boolean isAboutLiveBlock(ExecutorMessage message) throws WireException {
        LiveBlocks live = served.live();
        if (message instanceof ExecutorMessage.BlockSize size) {
            live.onSize(this, size.askId(), size.bytes());
        } else if (message instanceof ExecutorMessage.Laid laid) {
            live.onLaid(this, laid.askId());
        } else if (message instanceof ExecutorMessage.NotLaid not) {
            live.onNotLaid(this, not.askId(), not.reason(), not.detail());
        } else {
            return false;
        }
        return true;
    }

    @Override
    public void layOut(long askId, BlockRange block, long maxBytes, long timeoutMillis) {
        send(new AgentMessage.LayOut(askId, block, maxBytes, timeoutMillis));
    }

    @Override
    public void layHere(long askId, long slabOffset, long bytes) {
        send(new AgentMessage.LayHere(askId, slabOffset, bytes));
    }

    @Override
    public void unwanted(long askId) {
        send(new AgentMessage.Unwanted(askId));
    }

    private void onQuestion(ExecutorMessage message) throws WireException {
        if (message instanceof ExecutorMessage.Ping ping) {
            send(new AgentMessage.Pong(ping.token()));
        } else if (message instanceof ExecutorMessage.Pause pause) {
            sessions.onPause(pause.seconds());
        } else if (message instanceof ExecutorMessage.StatusRequest) {
            send(new AgentMessage.Status(sessions.statusJson()));
        } else {
            throw unexpected(message);
        }
    }

    private WireException unexpected(ExecutorMessage message) {
        return new WireException(message.getClass().getSimpleName() + " while the session is " + state);
    }

    @Override
    public void onGarbage(WireException cause) {
        refuse(FailureReason.PROTOCOL, String.valueOf(cause.getMessage()));
    }

    @Override
    public void onClosed(String why) {
        end();
    }

    /** Tasks may read what is out, also those of an executor that is stopped, or too busy to read what it is told. */
    @Override
    public boolean onMuted(String why) {
        if (state == State.ENDED || !usesMemory()) {
            return false;
        }
        LOG.warn("nothing more is sent to {}, which holds {} leases: {}", client, handedOut.size(), why);
        state = State.DEAF;
        cancelFetches();
        served.live().remove(this, /* mayWrite= */ true, why);
        return true;
    }

    @Override
    public void onRouteUp(String host) {
        if (state == State.REGISTERED) {
            send(new AgentMessage.RouteUp(host));
        }
    }

    @Override
    public void onRouteDown(String host, FailureReason reason, String detail) {
        if (state == State.REGISTERED) {
            send(new AgentMessage.RouteDown(host, reason, detail));
        }
    }

    /** The agent stops. */
    void goodbye(String why) {
        send(new AgentMessage.Goodbye(why));
        stopListening();
    }

    boolean isExecutor() {
        return registration != null && state == State.REGISTERED;
    }

    String application() {
        return registration == null ? "" : registration.application();
    }

    ExecutorStatus status() {
        long pinned = handedOut.values().stream()
                .mapToLong(out -> out.lease().bytes())
                .sum();
        return new ExecutorStatus(
                client,
                application(),
                registration == null ? "" : registration.executor(),
                fetches.size(),
                handedOut.size(),
                pinned);
    }

    private void onHello(ExecutorMessage.Hello hello) {
        client = hello.client();
        state = State.GREETED;
        send(sessions.welcome());
    }

    private void onRegister(Registration wanted) {
        try {
            served.applications().register(wanted);
        } catch (RefusedException e) {
            refuse(e.reason(), e.detail());
            return;
        }
        registration = wanted;
        state = State.REGISTERED;
        send(new AgentMessage.Registered());
        sessions.onRegistered(this);
    }

    private void onFetch(ExecutorMessage.Fetch fetch) throws WireException {
        if (fetch.blocks().isEmpty() || fetches.containsKey(fetch.requestId())) {
            throw new WireException("fetch " + fetch.requestId() + " is empty or under way already");
        }
        FetchTrace.step(FetchStep.FETCH_HEARD);
        long live = fetch.blocks().stream().filter(LiveBlock::isNamedBy).count();
        if (live > 0 && live < fetch.blocks().size()) {
            throw new WireException("fetch " + fetch.requestId() + " is for blocks in files and in memory");
        }
        fetching.counters().fetchStarted();
        Receiver receiver = new Receiver(fetch.requestId(), ownerOf(fetch.owner()));
        fetches.put(fetch.requestId(), receiver);
        if (fetches.size() > MAX_FETCHES) {
            receiver.onFailed(FailureReason.OVERLOADED, fetches.size() + " fetches are under way");
            return;
        }
        FetchOrder order = new FetchOrder(
                application(),
                fetch.host(),
                fetch.executor(),
                receiver.owner,
                fetching.loop().nanoTime(),
                TimeUnit.MILLISECONDS.toNanos(fetch.timeoutMillis()),
                fetch.blocks());
        peers.fetch(this, order, receiver);
    }

    private LeaseOwner ownerOf(long owner) {
        Registration known = registration;
        String executor = known == null ? client : known.application() + "/" + known.executor();
        return new LeaseOwner(executor + " task " + owner);
    }

    private boolean usesMemory() {
        return !handedOut.isEmpty() || served.live().isWriting(this);
    }

    private void release(long leaseId) throws WireException {
        HandedOut out = handedOut.remove(leaseId);
        if (out == null) {
            throw new WireException("lease " + leaseId + " is not out");
        }
        takeBack(out);
    }

    private void takeBack(HandedOut out) {
        fetching.pinned().remove(out.owner(), out.lease().bytes());
        out.lease().release();
    }

    /** Says why, and listens to nothing but the end. */
    private void refuse(FailureReason reason, String detail) {
        send(new AgentMessage.Refused(reason, detail));
        stopListening();
    }

    private void stopListening() {
        if (state != State.ENDED) {
            state = State.DEAF;
            cancelFetches();
            served.live().remove(this, /* mayWrite= */ true, "its session ends");
            if (!usesMemory()) {
                end();
            }
        }
    }

    /** The other end is closed, or holds nothing. */
    private void end() {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        cancelFetches();
        served.live().remove(this, /* mayWrite= */ false, "the process is gone");
        if (pipe != null) {
            pipe.closeAfterSending();
        }
        handedOut.values().forEach(this::takeBack);
        handedOut.clear();
        sessions.onEnded(this);
    }

    /** No task waits for them any more, and what they hold others want. */
    private void cancelFetches() {
        List<Receiver> open = List.copyOf(fetches.values());
        fetches.clear();
        open.forEach(receiver -> receiver.cancel.run());
    }

    private void send(AgentMessage message) {
        if (pipe != null && state != State.ENDED) {
            pipe.send(AgentMessage.CODEC.encode(message));
        }
    }

    /** Passes on what one fetch brings. What comes after the session's end goes back at once. */
    private final class Receiver implements FetchReceiver {
        private final long requestId;
        private final LeaseOwner owner;
        private Runnable cancel = () -> {};

        Receiver(long requestId, LeaseOwner owner) {
            this.requestId = requestId;
            this.owner = owner;
        }

        @Override
        public boolean isWanted() {
            return state == State.REGISTERED;
        }

        @Override
        public void onWaiting(Runnable stop) {
            cancel = stop;
        }

        @Override
        public void onStarted(Runnable stop) {
            cancel = stop;
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            if (state != State.REGISTERED) {
                lease.release();
                return;
            }
            boolean copyOut = fetching.pinned().add(owner, lease.bytes());
            if (copyOut) {
                fetching.counters().copiedOut(lease.bytes());
            }
            handedOut.put(lease.id(), new HandedOut(lease, owner));
            FetchTrace.step(FetchStep.BLOCKS_SENT);
            send(new AgentMessage.Blocks(requestId, lease.id(), lease.offset(), copyOut, slices));
        }

        @Override
        public void onBlockFailures(List<BlockFailure> failures, String detail) {
            send(new AgentMessage.BlockFailures(requestId, failures, detail));
        }

        @Override
        public void onDone() {
            fetches.remove(requestId);
            send(new AgentMessage.Done(requestId));
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            fetches.remove(requestId);
            fetching.counters().fetchFailed(reason);
            send(new AgentMessage.Failed(requestId, reason, detail));
        }
    }
}
