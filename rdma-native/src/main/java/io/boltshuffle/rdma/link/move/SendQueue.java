package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.move.WorkTable.Side;
import io.boltshuffle.rdma.link.move.WorkTable.Slot;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skip;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Send mode, serving side: sends what the peer granted receives for, in the order of its grants.
 *
 * <p>A grant cannot be refused, because its receives are posted and the ones after it wait behind them. If its offer is
 * gone, the peer is told ({@link Skip}), and when it has confirmed that it will not look, filler of the same shape is
 * sent.
 *
 * <p><b>Invariant:</b> frames queued and posted never exceed what the peer can have posted, or the link goes down.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
final class SendQueue implements Serving {

    private static final class Pending {
        private final Grant grant;
        private int next;
        private boolean skipped;

        private Pending(Grant grant) {
            this.grant = grant;
            this.next = grant.first();
        }

        private boolean isDone() {
            return next == grant.first() + grant.count();
        }
    }

    private final Endpoint endpoint;
    private final FrameBudget budget;
    private final ServedRanges servedRanges;
    private final ServedRange filler;
    private final int peerReceiveFrames;
    private final Consumer<LinkMessage> peer;
    private final LinkRecorder recorder;
    private final WorkTable<ServedRange> work = new WorkTable<>(Side.SERVING);
    private final ArrayDeque<Pending> queue = new ArrayDeque<>();
    private long queuedFrames;
    private boolean awaitingSkipped;

    /**
     * @param filler memory that the link sends in place of an offer that was withdrawn; a message of it must be as
     *     large as any granted
     * @param peerReceiveFrames what the peer can have posted at most
     */
    SendQueue(
            Endpoint endpoint,
            ServedRanges servedRanges,
            ServedRange filler,
            int peerReceiveFrames,
            Consumer<LinkMessage> peer,
            LinkRecorder recorder) {
        this.endpoint = endpoint;
        this.budget = new FrameBudget(endpoint.granted().send(), endpoint.maxMessages());
        this.servedRanges = servedRanges;
        this.filler = filler;
        this.peerReceiveFrames = peerReceiveFrames;
        this.peer = peer;
        this.recorder = recorder;
    }

    @Override
    public void granted(List<Grant> grants) throws LinkDownException {
        for (Grant grant : grants) {
            checkShape(grant);
            ServedRange served = servedRanges.find(grant.token());
            if (served != null) {
                checkFits(grant, served.cut());
            }
            queuedFrames += grant.frames();
            if (queuedFrames > peerReceiveFrames) {
                throw violation(grant, "is beyond the receives the peer can have posted");
            }
            queue.add(new Pending(grant));
        }
    }

    private void checkShape(Grant grant) throws LinkDownException {
        boolean sane = grant.first() >= 0
                && grant.count() >= 1
                && grant.count() <= peerReceiveFrames
                && grant.messageBytes() >= Lease.FRAME_BYTES
                && grant.messageBytes() <= filler.cut().bytes()
                && grant.lastBytes() >= 1
                && grant.lastBytes() <= grant.messageBytes();
        if (!sane) {
            throw violation(grant, "is out of limits");
        }
    }

    private static void checkFits(Grant grant, MessageCut cut) throws LinkDownException {
        long last = (long) grant.first() + grant.count() - 1;
        if (last >= cut.count()
                || grant.messageBytes() != cut.messageBytes()
                || grant.lastBytes() != cut.length((int) last)) {
            throw violation(grant, "does not fit its offer " + cut);
        }
    }

    private static LinkDownException violation(Grant grant, String what) {
        return new LinkDownException(Reason.PROTOCOL_VIOLATION, grant + " " + what);
    }

    @Override
    public void withdraw(ServedRange served) {
        servedRanges.withdraw(served);
    }

    @Override
    public void skipped(long token) {
        Pending head = queue.peek();
        if (awaitingSkipped && head != null && head.grant.token() == token) {
            awaitingSkipped = false;
            head.skipped = true;
        }
    }

    /** Does nothing: a peer that is idle has received all that it granted before. */
    @Override
    public void peerFetchesNoMore() {}

    @Override
    public void pump() throws LinkDownException {
        while (!awaitingSkipped && !queue.isEmpty() && sendFrom(queue.element())) {
            queue.remove();
        }
        if (endpoint.sends().count() > 0) {
            endpoint.postSends();
            FetchTrace.step(FetchStep.GO_SERVED);
        }
    }

    /** Posts messages of a grant. True if none is left. */
    private boolean sendFrom(Pending pending) throws LinkDownException {
        ServedRange source = source(pending);
        if (source == null) {
            awaitingSkipped = true;
            peer.accept(new Skip(pending.grant.token()));
            return false;
        }
        while (!pending.isDone()) {
            int length = pending.grant.length(pending.next);
            int frames = MessageCut.frames(length);
            if (!budget.fits(frames)) {
                return false;
            }
            if (endpoint.sends().count() == endpoint.sends().capacity()) {
                endpoint.postSends();
            }
            post(source, pending.next, length);
            pending.next++;
        }
        return true;
    }

    /**
     * Returns the range to send for a grant: its offer, filler if the peer agreed to that, or null if the peer must be
     * asked first.
     */
    private @Nullable ServedRange source(Pending pending) {
        if (pending.skipped) {
            return filler;
        }
        ServedRange served = servedRanges.find(pending.grant.token());
        return served == null || served.isWithdrawn() ? null : served;
    }

    private void post(ServedRange source, int message, int length) {
        int frames = MessageCut.frames(length);
        budget.take(frames);
        queuedFrames -= frames;
        source.posted();
        long address = source == filler ? filler.address(0) : source.address(message);
        Slot<ServedRange> slot = work.take(source, message, length);
        endpoint.sends().addSend(slot.workRequestId(), address, length, source.localKey());
    }

    /** The device has read a message. Says nothing of its arrival. */
    @Override
    public void completed(long workRequestId) throws LinkDownException {
        Slot<ServedRange> slot = work.find(workRequestId);
        ServedRange source = slot.holder();
        budget.give(slot.frames());
        recorder.messageServed(slot.length());
        work.give(slot);
        source.completed();
        servedRanges.letGoIfQuiet(source);
    }

    @Override
    public long postedBytes() {
        return (long) budget.posted() * Lease.FRAME_BYTES;
    }

    @Override
    public boolean isHeldUp() {
        return !queue.isEmpty() && !awaitingSkipped;
    }

    @Override
    public boolean isBusy() {
        return budget.posted() > 0 || !queue.isEmpty();
    }
}
