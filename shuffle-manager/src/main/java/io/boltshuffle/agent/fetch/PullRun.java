package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One pull on the fetching side: asked, answered, given memory, moved, handed over.
 *
 * <p><b>Invariant:</b> the lease leaves it exactly once: to the taker with every byte verified, or back to the pool
 * once every transfer into it has ended; links keep their own hold until nothing can be written any more. The peer is
 * told {@code FREE} exactly once. A pull that ended waits for no memory.
 *
 * <p><b>Threads:</b> confined to the agent's loop, in whose place a link's poller may tell that a stripe moved.
 */
final class PullRun implements AskedPeer.Listener {

    /** The fetch that the pull is a part of. */
    interface Listener {
        /** The peer said something of it. */
        void onHeard();

        /** It is known where the next pull starts. */
        void onAnswered(int endBlock, long offset);

        /** All that was offered came: it can be {@link PullRun#take taken}. */
        void onMoved();

        /** Nothing more comes, so the pull is to be {@link PullRun#abort given up}. */
        void onFailed(FailureReason reason, String detail);
    }

    /**
     * The outcome of a pull.
     *
     * @param lease has the slices back to back, and is the taker's; null without any
     * @param failures blocks that will not come
     * @param detail about the first failure
     */
    record Moved(@Nullable Lease lease, List<BlockSlice> slices, List<BlockFailure> failures, String detail) {}

    private enum State {
        ASKED,
        WAITING_FOR_MEMORY,
        MOVING,
        MOVED,
        ENDED
    }

    private final PullServices services;
    private final AskedPeer peer;
    private final LeaseOwner owner;
    private final int firstBlock;
    private final PullRequest request;
    private final Listener listener;
    private final long deadlineNanos;
    private final List<Transfer> transfers = new ArrayList<>();
    private long id;
    private State state = State.ASKED;
    private ControlMessage.@Nullable Ready answer;
    private @Nullable CompletableFuture<Lease> memoryWait;
    private @Nullable Lease lease;
    private int transfersOpen;

    /** @param firstBlock the place of the first one of its blocks in the whole fetch */
    PullRun(
            PullServices services,
            AskedPeer peer,
            LeaseOwner owner,
            int firstBlock,
            PullRequest request,
            Listener listener) {
        this.services = services;
        this.peer = peer;
        this.owner = owner;
        this.firstBlock = firstBlock;
        this.request = request;
        this.listener = listener;
        this.deadlineNanos = services.loop().nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
    }

    void ask() {
        id = peer.ask(request, this);
    }

    boolean isAnswered() {
        return answer != null;
    }

    boolean isMoved() {
        return state == State.MOVED;
    }

    @Override
    public void onReady(ControlMessage.Ready ready) throws WireException {
        listener.onHeard();
        if (state != State.ASKED) {
            throw new WireException("pull " + id + " was answered twice");
        }
        FetchTrace.step(FetchStep.READY_HEARD);
        ReadyCheck check = ReadyCheck.of(request, ready);
        answer = ready;
        if (check.bytes() == 0) {
            state = State.MOVED;
            peer.free(id);
        } else {
            state = State.WAITING_FOR_MEMORY;
            memoryWait = services.pool().acquireAsync(owner, check.bytes(), deadlineNanos);
            services.loop().whenDone(memoryWait, (granted, failure) -> onMemory(ready, granted, failure));
        }
        listener.onAnswered(firstBlock + check.answeredBlocks(), check.nextOffset());
        if (state == State.MOVED) {
            listener.onMoved();
        }
    }

    @Override
    public void onNotReady(FailureReason reason, String detail) {
        listener.onHeard();
        listener.onFailed(reason, detail);
    }

    private void onMemory(ControlMessage.Ready ready, @Nullable Lease granted, @Nullable Throwable failure) {
        memoryWait = null;
        if (state != State.WAITING_FOR_MEMORY) {
            if (granted != null) {
                granted.release();
            }
        } else if (granted == null) {
            listener.onFailed(FailureReason.NO_MEMORY, String.valueOf(failure));
        } else {
            lease = granted;
            state = State.MOVING;
            move(ready.stripes(), granted);
        }
    }

    private void move(List<Stripe> stripes, Lease into) {
        long offset = 0;
        for (Stripe stripe : stripes) {
            ActiveLink link = peer.link(stripe.linkId()).orElse(null);
            Offer offer = decode(stripe);
            if (link == null || offer == null) {
                listener.onFailed(
                        FailureReason.LINK_FAILED, "offered over link " + stripe.linkId() + ", which is not up here");
                return;
            }
            RangePart part = new RangePart(link.rangeOf(into), offset, stripe.bytes());
            transfersOpen++;
            transfers.add(link.link().fetch(offer.all(), part, deadlineNanos, new StripeListener(link.meter())));
            offset += stripe.bytes();
        }
    }

    private static @Nullable Offer decode(Stripe stripe) {
        try {
            Offer offer = Offer.decode(stripe.offer().toBuffer());
            return offer.bytes() == stripe.bytes() ? offer : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Hears of one stripe. Called by the link's thread, acts on the loop or in its place. */
    private final class StripeListener implements TransferListener {
        private final LinkMeter meter;
        private final long startNanos = services.loop().nanoTime();

        StripeListener(LinkMeter meter) {
            this.meter = meter;
        }

        @Override
        public void onVerified() {
            FetchTrace.step(FetchStep.VERIFIED);
            services.loop().hurry(() -> {
                meter.add(services.loop().nanoTime() - startNanos);
                onStripeMoved();
            });
        }

        @Override
        public void onFailed(TransferFailure failure) {
            services.loop().execute(() -> onStripeFailed(failure));
        }
    }

    private void onStripeMoved() {
        transfersOpen--;
        if (state == State.MOVING && transfersOpen == 0) {
            FetchTrace.step(FetchStep.MOVED);
            state = State.MOVED;
            peer.free(id);
            listener.onMoved();
        } else {
            giveBackWhenQuiet();
        }
    }

    private void onStripeFailed(TransferFailure failure) {
        transfersOpen--;
        if (state == State.MOVING) {
            listener.onFailed(reasonOf(failure), failure.message());
        } else {
            giveBackWhenQuiet();
        }
    }

    private static FailureReason reasonOf(TransferFailure failure) {
        LinkFailure link = failure.link();
        if (failure.reason() == TransferFailure.Reason.DEADLINE) {
            return FailureReason.DEADLINE;
        }
        return link != null && link.reason() == LinkFailure.Reason.CHECKSUM_MISMATCH
                ? FailureReason.CORRUPT
                : FailureReason.LINK_FAILED;
    }

    /** Takes what came, and ends the pull. */
    Moved take() {
        ControlMessage.Ready ready = answer;
        if (ready == null) {
            throw new IllegalStateException("pull " + id + " was not answered");
        }
        state = State.ENDED;
        Lease full = lease;
        lease = null;
        List<BlockFailure> failures = ready.failures().stream()
                .map(failure -> new BlockFailure(firstBlock + failure.blockIndex(), failure.reason()))
                .toList();
        return new Moved(full, inOrder(ready.slices()), failures, ready.detail());
    }

    /** Returns the slices with their blocks' indexes in the whole fetch. */
    private List<BlockSlice> inOrder(List<BlockSlice> slices) {
        if (firstBlock == 0) {
            return slices;
        }
        List<BlockSlice> shifted = new ArrayList<>(slices.size());
        for (BlockSlice slice : slices) {
            shifted.add(slice.ofBlock(firstBlock + slice.blockIndex()));
        }
        return shifted;
    }

    /** Gives the pull up, whatever its state. */
    void abort() {
        state = State.ENDED;
        if (memoryWait != null) {
            memoryWait.cancel(false);
        }
        transfers.forEach(Transfer::cancel);
        peer.free(id);
        giveBackWhenQuiet();
    }

    private void giveBackWhenQuiet() {
        if (state == State.ENDED && transfersOpen == 0 && lease != null) {
            lease.release();
            lease = null;
        }
    }
}
