package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Stripe;
import java.nio.ByteBuffer;

/** A link's offer of a pull's bytes. */
record Offered(ActiveLink link, Offer offer) {

    /**
     * Has a link offer a part of memory. On a reader: a link that sums reads it.
     *
     * @param whole the memory as the link sees it
     * @throws IllegalStateException if the link went down, or the memory is in quarantine
     */
    static Offered of(StripePlan.Part part, RegisteredRange whole) {
        RangePart source = new RangePart(whole, part.offset(), part.bytes());
        return new Offered(part.link(), part.link().link().offer(source, null, () -> {}));
    }

    /** Returns what the peer is told of it. */
    Stripe stripe() {
        ByteBuffer encoded = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(encoded);
        return new Stripe(link.id(), offer.bytes(), Opaque.of(encoded.array()));
    }

    void withdraw() {
        link.link().withdraw(offer);
    }
}
