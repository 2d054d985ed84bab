package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.move.WorkTable.Slot;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;

/** Read mode: posts RDMA READs of the peer's memory. */
final class ReadPoster implements Fetcher.Poster {

    private final Endpoint endpoint;

    ReadPoster(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public boolean isFull() {
        return endpoint.sends().count() == endpoint.sends().capacity();
    }

    @Override
    public void add(Slot<Fetch> slot) {
        Fetch to = slot.holder();
        Offer offer = to.offer();
        endpoint.sends()
                .addRead(
                        slot.workRequestId(),
                        to.address(slot.message()),
                        slot.length(),
                        to.localKey(),
                        offer.remote().address() + offer.cut().offset(slot.message()),
                        offer.remote().key());
    }

    @Override
    public void flush() throws LinkDownException {
        if (endpoint.sends().count() > 0) {
            endpoint.postSends();
            FetchTrace.step(FetchStep.TRANSFER_BEGUN);
        }
    }
}
