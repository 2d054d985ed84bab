package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Stripe;
import java.nio.ByteBuffer;

/** What one link offers of a pull's bytes. */
record Offered(ActiveLink link, Offer offer) {

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
