package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.ControlMessageCodec;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A control connection to a peer agent: greeting, proof, heartbeats, orderly end. What is said in between is its listener's.
 *
 * <p><b>Invariant:</b> nothing but greeting and proof is believed before the handshake is complete. The listener hears
 * {@link Listener#onOpen} at most once and {@link Listener#onEnd} exactly once.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class PeerConnection implements FrameListener {

    /** The handshake is over, or the connection is. */
    interface Listener {
        void onOpen(PeerConnection connection);

        void onMessage(ControlMessage message) throws WireException;

        /** @param reason why, as far as it matters to those who wanted blocks from there */
        void onEnd(PeerConnection connection, FailureReason reason, String detail);

        /** The other connection between the same two agents stays. */
        void onSuperseded(PeerConnection connection);
    }

    private enum State {
        GREETING,
        PROVING,
        OPEN,
        ENDED
    }

    private final Loop loop;
    private final Handshake handshake;
    private final Handshake.End end;
    private final long intervalNanos;
    private final long timeoutNanos;
    private Listener listener;
    private State state = State.GREETING;
    private @Nullable FramePipe pipe;
    private long lastSentNanos;
    private long lastHeardNanos;
    private Loop.@Nullable Timer heartbeat;

    PeerConnection(AgentServices services, Handshake handshake, Handshake.End end, Listener listener) {
        this.loop = services.loop();
        this.handshake = handshake;
        this.end = end;
        this.listener = listener;
        this.intervalNanos =
                services.settings().get(Options.AGENT_HEARTBEAT_INTERVAL).toNanos();
        this.timeoutNanos =
                services.settings().get(Options.AGENT_HEARTBEAT_TIMEOUT).toNanos();
    }

    /** Takes the pipe and greets. */
    void start(FramePipe openPipe) {
        pipe = openPipe;
        lastHeardNanos = loop.nanoTime();
        send(handshake.hello());
        heartbeat = loop.after(intervalNanos, this::beat);
    }

    Handshake handshake() {
        return handshake;
    }

    Handshake.End end() {
        return end;
    }

    /** Hands the connection over to whom it is for, once it is known who is at the other end. */
    void listener(Listener next) {
        listener = next;
    }

    void send(ControlMessage message) {
        if (pipe != null && state != State.ENDED) {
            lastSentNanos = loop.nanoTime();
            pipe.send(ControlMessageCodec.encode(message));
        }
    }

    /** Says why, then closes. The listener is not told: it asked. */
    void close(ControlMessage lastWord) {
        if (state != State.ENDED) {
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
        ControlMessage message = ControlMessageCodec.decode(frame);
        try {
            dispatch(message);
        } catch (RefusedException e) {
            send(new ControlMessage.Refused(e.reason(), e.detail()));
            fail(e.reason(), e.detail());
        }
    }

    @Override
    public void onGarbage(WireException cause) {
        String detail = String.valueOf(cause.getMessage());
        send(new ControlMessage.Refused(FailureReason.PROTOCOL, detail));
        fail(FailureReason.PROTOCOL, detail);
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
        } else if (state == State.OPEN) {
            listener.onMessage(message);
        } else {
            greet(message);
        }
    }

    private void greet(ControlMessage message) throws WireException, RefusedException {
        if (state == State.GREETING && message instanceof ControlMessage.Hello hello) {
            handshake.onHello(hello).ifPresent(this::send);
            state = State.PROVING;
        } else if (state == State.PROVING && message instanceof ControlMessage.Proof proof) {
            handshake.onProof(proof);
        } else {
            throw new WireException(message.getClass().getSimpleName() + " before the handshake was complete");
        }
        if (handshake.isComplete()) {
            state = State.OPEN;
            listener.onOpen(this);
        }
    }

    private void supersede() {
        if (state != State.ENDED) {
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
        if (state == State.OPEN && now - lastSentNanos >= intervalNanos / 2) {
            send(new ControlMessage.Heartbeat());
        }
        heartbeat = loop.after(intervalNanos, this::beat);
    }

    private void fail(FailureReason reason, String detail) {
        if (state != State.ENDED) {
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
        state = State.ENDED;
        if (heartbeat != null) {
            heartbeat.cancel();
        }
    }
}
