package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.move.WorkTable.Slot;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Go;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Send mode: posts receives, then says GO.
 *
 * <p><b>Invariant:</b> a grant goes out after its receives are posted and in their order, so a sender that keeps that
 * order never meets a missing or a wrong receive, on devices with hardware credits and on those without.
 */
final class ReceivePoster implements Fetcher.Poster {

    private final Endpoint endpoint;
    private final Consumer<LinkMessage> peer;
    private final List<Grant> grants = new ArrayList<>();
    private @Nullable Fetch fetch;
    private int first;
    private int end;
    private int lastBytes;

    ReceivePoster(Endpoint endpoint, Consumer<LinkMessage> peer) {
        this.endpoint = endpoint;
        this.peer = peer;
    }

    @Override
    public boolean isFull() {
        return endpoint.receives().count() == endpoint.receives().capacity();
    }

    @Override
    public void add(Slot<Fetch> slot) {
        Fetch to = slot.holder();
        int message = slot.message();
        endpoint.receives().addReceive(slot.workRequestId(), to.address(message), slot.length(), to.localKey());
        if (fetch != to || message != end) {
            closeGrant();
            fetch = to;
            first = message;
        }
        end = message + 1;
        lastBytes = slot.length();
    }

    private void closeGrant() {
        if (fetch != null) {
            Offer offer = fetch.offer();
            grants.add(new Grant(offer.key().token(), first, end - first, offer.messageBytes(), lastBytes));
            fetch = null;
        }
    }

    @Override
    public void flush() throws LinkDownException {
        closeGrant();
        endpoint.postReceives();
        if (!grants.isEmpty()) {
            FetchTrace.step(FetchStep.TRANSFER_BEGUN);
            peer.accept(new Go(List.copyOf(grants)));
            grants.clear();
        }
    }
}
