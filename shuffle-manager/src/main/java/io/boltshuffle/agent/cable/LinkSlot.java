package io.boltshuffle.agent.cable;

import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.protocol.LinkCodec;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.Opaque;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a link over one cable: from the wish for it to the end of its queue pair.
 *
 * <p><b>Invariant:</b> what the peer's end says reaches this end's link in order, also what comes before it is built.
 *
 * <p><b>Threads:</b> confined to the agent's loop; what the link says on its own thread is heard there.
 */
public final class LinkSlot {

    /**
     * The most messages that wait for a link that is being built; its peer has little to say before it hears an answer.
     */
    private static final int MAX_EARLY_PAYLOADS = 64;

    enum State {
        OPENING,
        CONNECTING,
        UP,
        DOWN,
        ENDED
    }

    /** The owner of the slot. */
    public interface Owner {
        void onUp(LinkSlot slot);

        /** The link takes no more. {@link #onEnded} follows. */
        void onDown(LinkSlot slot);

        /** Nothing of it is left. */
        void onEnded(LinkSlot slot);
    }

    private final int id;
    private final CablePair cable;
    private final Loop loop;
    private final Consumer<ControlMessage> out;
    private final Owner owner;
    private final List<Opaque> early = new ArrayList<>();
    private State state = State.OPENING;
    private String detail = "";
    private boolean retry = true;
    private LinkStatus.@Nullable Calibration calibration;
    private LinkFailure.@Nullable Reason failure;
    private @Nullable ActiveLink link;
    private @Nullable String lost;

    public LinkSlot(int id, CablePair cable, Loop loop, Consumer<ControlMessage> out, Owner owner) {
        this.id = id;
        this.cable = cable;
        this.loop = loop;
        this.out = out;
        this.owner = owner;
    }

    public void open(Ports ports) {
        loop.whenDone(ports.open(cable.near(), id, this::sendToPeer, new Events()), this::onOpened);
    }

    public int id() {
        return id;
    }

    public CablePair cable() {
        return cable;
    }

    /** Returns the link while it carries transfers. */
    public @Nullable ActiveLink activeLink() {
        return state == State.UP ? link : null;
    }

    /** Returns whether the link is being built, and nothing says yet that it will not come up. */
    public boolean isOnItsWay() {
        return (state == State.OPENING || state == State.CONNECTING) && lost == null;
    }

    /** Returns why the link is down, for people. */
    public String detail() {
        return detail;
    }

    /** Returns the reason why the link is down; null while it is not down, and when it was closed in good order. */
    public LinkFailure.@Nullable Reason failure() {
        return failure;
    }

    /**
     * Returns whether the port here was lost, when it may have another name once it is back, or could not be opened, or
     * its device refused a queue pair.
     */
    public boolean isWithoutPort() {
        return link == null
                || failure == LinkFailure.Reason.PORT_NOT_ACTIVE
                || failure == LinkFailure.Reason.SETUP_REFUSED;
    }

    /** Returns whether a fresh link may be tried without a person's help. */
    public boolean mayRetry() {
        return retry;
    }

    public LinkStatus status() {
        return new LinkStatus(
                id,
                cable.near().toString(),
                cable.far().toString(),
                state.name(),
                detail,
                calibration,
                link == null ? null : link.link().counters(),
                link == null ? null : link.meter().pace());
    }

    public void sample(long nowNanos) {
        if (link != null) {
            link.meter().sample(nowNanos, link.link().counters());
        }
    }

    public void onPayload(Opaque payload) {
        if (link != null) {
            link.link().onMessage(payload.toBuffer());
        } else if (early.size() < MAX_EARLY_PAYLOADS) {
            early.add(payload);
        } else {
            onLost("the peer's end talks to a link that is not built yet");
        }
    }

    /** The channel is gone, or the peer's end is: the link goes down, and ends as soon as it can. */
    public void onLost(String reason) {
        lost = reason;
        if (link != null) {
            link.link().onChannelLost(reason);
        }
    }

    private void onOpened(@Nullable ActiveLink opened, @Nullable Throwable refusal) {
        if (opened == null) {
            detail = refusal == null ? "not built" : rootMessage(refusal);
            out.accept(new ControlMessage.LinkEnd(id, detail));
            state = State.ENDED;
            owner.onEnded(this);
            return;
        }
        link = opened;
        if (state == State.OPENING) {
            state = State.CONNECTING;
        }
        early.forEach(payload -> opened.link().onMessage(payload.toBuffer()));
        early.clear();
        if (lost != null) {
            opened.link().onChannelLost(lost);
        }
    }

    private void sendToPeer(ByteBuffer message) {
        boolean isGo = LinkCodec.isGo(message);
        ControlMessage payload = new ControlMessage.LinkPayload(id, Opaque.of(message));
        loop.hurry(() -> {
            if (isGo) {
                FetchTrace.step(FetchStep.GO_SENT);
            }
            out.accept(payload);
        });
    }

    private static String describe(LinkReport report) {
        return report.mode() + ", fetches in messages of "
                + ByteFigures.bytes(report.receiving().messageBytes()) + ", "
                + ByteFigures.bytes(report.receiving().windowBytes()) + " at a time; serves in messages of "
                + ByteFigures.bytes(report.offerMessageBytes());
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** Hears the link's thread, and acts on the loop. */
    private final class Events implements LinkListener {
        @Override
        public void onUp(LinkReport report) {
            loop.execute(() -> {
                state = State.UP;
                calibration = LinkStatus.Calibration.of(report);
                detail = describe(report);
                owner.onUp(LinkSlot.this);
            });
        }

        @Override
        public void onDown(@Nullable LinkFailure seen) {
            loop.execute(() -> {
                state = State.DOWN;
                detail = seen == null ? "closed" : seen.reason() + ": " + seen.message();
                retry = seen == null || seen.retry() == LinkFailure.Retry.BACK_OFF;
                failure = seen == null ? null : seen.reason();
                owner.onDown(LinkSlot.this);
            });
        }

        @Override
        public void onEnded(LinkState end) {
            loop.execute(() -> {
                state = State.ENDED;
                out.accept(new ControlMessage.LinkEnd(id, detail));
                owner.onEnded(LinkSlot.this);
            });
        }
    }
}
