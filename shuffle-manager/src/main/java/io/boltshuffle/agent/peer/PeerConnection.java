package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A control connection to a peer agent: greeting, proofs, heartbeats, orderly end. What is said in between is its
 * listener's.
 *
 * <p><b>Invariant:</b> nothing but greeting and proofs is heard before the peer proved something, which it has to do
 * within the heartbeat timeout, counted from the connection's beginning: nothing that it says gives it more time. The
 * listener hears {@link Listener#onOpen} at most once and {@link Listener#onEnd} exactly once.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class PeerConnection implements FrameListener {

    /** The time for which a peer keeps its links after the last application that it proved ended here. */
    static final long LAPSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** All that an honest peer is told before it proved something takes a few kilobytes. */
    private static final long MAX_UNPROVEN_BYTES = 256 << 10;

    /** The most bytes that wait for a peer: blocks of a window for each of its pulls, by their names and sums. */
    private static final long MAX_PROVEN_BYTES = 32 << 20;

    /** The handshake is over, or the connection is. */
    interface Listener {
        /**
         * The peer said its name, and proved nothing yet.
         *
         * @throws RefusedException if another one was wanted
         */
        default void onGreeted(String host) throws RefusedException {}

        /** The peer proved something. */
        void onOpen(PeerConnection connection);

        void onMessage(ControlMessage message) throws WireException;

        /** @param reason why, as far as it matters to those who wanted blocks from there */
        void onEnd(PeerConnection connection, FailureReason reason, String detail);

        /** The other connection between the same two agents stays. */
        void onSuperseded(PeerConnection connection);
    }

    private final Loop loop;
    private final Handshake handshake;
    private final Handshake.End end;
    private final long intervalNanos;
    private final long timeoutNanos;
    private Listener listener;
    private final ConnectionTrust trust;
    private boolean open;
    private boolean ended;
    private @Nullable FramePipe pipe;
    private long lastSentNanos;
    private long lastHeardNanos;
    private Loop.@Nullable Timer heartbeat;
    private Loop.@Nullable Timer deadline;

    /** @param mayProve whether so many proofs may be made for the other end before it proved anything */
    PeerConnection(
            PeerServices services, Handshake handshake, Handshake.End end, IntPredicate mayProve, Listener listener) {
        this.loop = services.loop();
        this.handshake = handshake;
        this.end = end;
        this.listener = listener;
        this.trust = new ConnectionTrust(
                services.serving().served().applications(), handshake, end, mayProve, this::send, new TrustEvents());
        this.intervalNanos =
                services.settings().get(Options.AGENT_HEARTBEAT_INTERVAL).toNanos();
        this.timeoutNanos =
                services.settings().get(Options.AGENT_HEARTBEAT_TIMEOUT).toNanos();
    }

    /** Takes the pipe and greets. */
    void start(FramePipe openPipe) {
        pipe = openPipe;
        openPipe.maxQueuedBytes(MAX_UNPROVEN_BYTES);
        lastHeardNanos = loop.nanoTime();
        send(handshake.hello());
        heartbeat = loop.after(intervalNanos, this::beat);
        deadline = loop.after(
                timeoutNanos,
                () -> refuse(
                        FailureReason.PEER_UNREACHABLE,
                        "nothing was proven within " + timeoutNanos / 1_000_000 + " ms"));
    }

    Handshake handshake() {
        return handshake;
    }

    ConnectionTrust trust() {
        return trust;
    }

    Handshake.End end() {
        return end;
    }

    /** Hands the connection over to its owner, once it is known which host is at the other end. */
    void listener(Listener next) {
        listener = next;
    }

    void send(ControlMessage message) {
        if (pipe != null && !ended) {
            lastSentNanos = loop.nanoTime();
            if (message instanceof ControlMessage.Pull || message instanceof ControlMessage.Free) {
                pipe.ask(ControlMessage.CODEC.encode(message));
            } else {
                pipe.send(ControlMessage.CODEC.encode(message));
            }
        }
    }

    /** Says why, then closes. The listener is not told: it asked. */
    void close(ControlMessage lastWord) {
        if (!ended) {
            send(lastWord);
            markEnded();
            if (pipe != null) {
                pipe.closeAfterSending();
            }
        }
    }

    @Override
    public void onFrame(ByteBuffer frame) throws WireException {
        lastHeardNanos = loop.nanoTime();
        ControlMessage message = ControlMessage.CODEC.decode(frame);
        try {
            dispatch(message);
        } catch (RefusedException e) {
            refuse(e.reason(), e.detail());
        }
    }

    @Override
    public void onGarbage(WireException cause) {
        refuse(FailureReason.PROTOCOL, String.valueOf(cause.getMessage()));
    }

    @Override
    public void onClosed(String why) {
        fail(FailureReason.PEER_UNREACHABLE, "the control connection broke: " + why);
    }

    private void dispatch(ControlMessage message) throws WireException, RefusedException {
        if (message instanceof ControlMessage.Heartbeat) {
            return;
        }
        if (message instanceof ControlMessage.Refused refused) {
            fail(refused.reason(), "the peer refuses: " + refused.detail());
        } else if (message instanceof ControlMessage.Goodbye goodbye) {
            fail(FailureReason.STOPPING, "the peer's agent stops: " + goodbye.detail());
        } else if (message instanceof ControlMessage.Superseded) {
            supersede();
        } else if (trust.hear(message)) {
            if (!open && !ended && trust.state().mayLink()) {
                open = true;
                cancel(deadline);
                if (pipe != null) {
                    pipe.maxQueuedBytes(MAX_PROVEN_BYTES);
                }
                listener.onOpen(this);
            }
        } else if (open) {
            listener.onMessage(message);
        } else {
            throw new WireException(message.getClass().getSimpleName() + " before anything was proven");
        }
    }

    private void supersede() {
        if (!ended) {
            markEnded();
            closePipe();
            listener.onSuperseded(this);
        }
    }

    private void beat() {
        long now = loop.nanoTime();
        if (now - lastHeardNanos > timeoutNanos) {
            fail(FailureReason.PEER_UNREACHABLE, "silent for " + (now - lastHeardNanos) / 1_000_000 + " ms");
            return;
        }
        if (open && now - lastSentNanos >= intervalNanos / 2) {
            send(new ControlMessage.Heartbeat());
        }
        heartbeat = loop.after(intervalNanos, this::beat);
    }

    /** Tells the peer why, then ends. */
    private void refuse(FailureReason reason, String detail) {
        send(new ControlMessage.Refused(reason, detail));
        fail(reason, detail);
    }

    private void fail(FailureReason reason, String detail) {
        if (!ended) {
            markEnded();
            closePipe();
            listener.onEnd(this, reason, detail);
        }
    }

    private void closePipe() {
        if (pipe != null) {
            pipe.closeAfterSending();
        }
    }

    private void markEnded() {
        ended = true;
        cancel(heartbeat);
        cancel(deadline);
        trust.close();
    }

    private static void cancel(Loop.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Handles the changes of the peer's trust. */
    private final class TrustEvents implements ConnectionTrust.Listener {
        @Override
        public void onGreeted(String host) throws RefusedException {
            listener.onGreeted(host);
        }

        @Override
        public void onLapsed() {
            deadline = loop.after(
                    LAPSE_NANOS,
                    () -> refuse(FailureReason.REFUSED, "the last application that both agents served ended"));
        }

        @Override
        public void onRegained() {
            cancel(deadline);
        }
    }
}
