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
 * <p><b>Invariant:</b> the lease leaves it exactly once: to the receiver with every byte verified, or back to the pool
 * once every transfer into it has ended; links keep their own hold until nothing can be written any more. The peer is
 * told {@code FREE} exactly once. A pull that ended waits for no memory.
 *
 * <p><b>Threads:</b> confined to the agent's loop, in whose place a link's poller may tell that a stripe moved.
 */
final class PullRun {

    private enum State {
        ASKED,
        WAITING_FOR_MEMORY,
        MOVING,
        MOVED,
        ENDED
    }

    private final PullClient client;
    private final FetchRun run;
    private final long id;
    private final int firstBlock;
    private final PullRequest request;
    private final long deadlineNanos;
    private final List<Transfer> transfers = new ArrayList<>();
    private State state = State.ASKED;
    private ControlMessage.@Nullable Ready answer;
    private @Nullable CompletableFuture<Lease> memoryWait;
    private @Nullable Lease lease;
    private int transfersOpen;

    PullRun(PullClient client, FetchRun run, long id, int firstBlock, PullRequest request) {
        this.client = client;
        this.run = run;
        this.id = id;
        this.firstBlock = firstBlock;
        this.request = request;
        this.deadlineNanos =
                client.services().loop().nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
    }

    long id() {
        return id;
    }

    FetchRun run() {
        return run;
    }

    boolean isAnswered() {
        return answer != null;
    }

    boolean isMoved() {
        return state == State.MOVED;
    }

    void onReady(ControlMessage.Ready ready) throws WireException {
        if (state != State.ASKED) {
            throw new WireException("pull " + id + " was answered twice");
        }
        FetchTrace.step(FetchStep.READY_HEARD);
        ReadyCheck check = ReadyCheck.of(request, ready);
        answer = ready;
        if (check.bytes() == 0) {
            state = State.MOVED;
            client.free(this);
        } else {
            state = State.WAITING_FOR_MEMORY;
            FetchOrder order = run.order();
            memoryWait = client.services().pool().acquireAsync(order.owner(), check.bytes(), deadlineNanos);
            client.services().loop().whenDone(memoryWait, (granted, failure) -> onMemory(ready, granted, failure));
        }
        run.onAnswered(firstBlock + check.answeredBlocks(), check.nextOffset());
        if (state == State.MOVED) {
            run.onMoved();
        }
    }

    void onNotReady(FailureReason reason, String detail) {
        run.fail(reason, detail);
    }

    private void onMemory(ControlMessage.Ready ready, @Nullable Lease granted, @Nullable Throwable failure) {
        memoryWait = null;
        if (state != State.WAITING_FOR_MEMORY) {
            if (granted != null) {
                granted.release();
            }
        } else if (granted == null) {
            run.fail(FailureReason.NO_MEMORY, String.valueOf(failure));
        } else {
            lease = granted;
            state = State.MOVING;
            move(ready.stripes(), granted);
        }
    }

    private void move(List<Stripe> stripes, Lease into) {
        long offset = 0;
        for (Stripe stripe : stripes) {
            ActiveLink link = client.links().byId(stripe.linkId()).orElse(null);
            Offer offer = decode(stripe);
            if (link == null || offer == null) {
                run.fail(FailureReason.LINK_FAILED, "offered over link " + stripe.linkId() + ", which is not up here");
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
        private final long startNanos = client.services().loop().nanoTime();

        StripeListener(LinkMeter meter) {
            this.meter = meter;
        }

        @Override
        public void onVerified() {
            FetchTrace.step(FetchStep.VERIFIED);
            client.services().loop().hurry(() -> {
                meter.add(client.services().loop().nanoTime() - startNanos);
                onStripeMoved();
            });
        }

        @Override
        public void onFailed(TransferFailure failure) {
            client.services().loop().execute(() -> onStripeFailed(failure));
        }
    }

    private void onStripeMoved() {
        transfersOpen--;
        if (state == State.MOVING && transfersOpen == 0) {
            FetchTrace.step(FetchStep.MOVED);
            state = State.MOVED;
            client.free(this);
            run.onMoved();
        } else {
            giveBackWhenQuiet();
        }
    }

    private void onStripeFailed(TransferFailure failure) {
        transfersOpen--;
        if (state == State.MOVING) {
            run.fail(reasonOf(failure), failure.message());
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

    /** Hands over what came, then says what did not. */
    void deliver() {
        ControlMessage.Ready ready = answer;
        if (ready == null) {
            throw new IllegalStateException("pull " + id + " was not answered");
        }
        state = State.ENDED;
        if (lease != null) {
            Lease full = lease;
            lease = null;
            run.deliver(full, inOrder(ready.slices()));
        }
        if (!ready.failures().isEmpty()) {
            run.deliverFailures(
                    ready.failures().stream()
                            .map(failure -> new BlockFailure(firstBlock + failure.blockIndex(), failure.reason()))
                            .toList(),
                    ready.detail());
        }
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
        client.free(this);
        giveBackWhenQuiet();
    }

    private void giveBackWhenQuiet() {
        if (state == State.ENDED && transfersOpen == 0 && lease != null) {
            lease.release();
            lease = null;
        }
    }
}
