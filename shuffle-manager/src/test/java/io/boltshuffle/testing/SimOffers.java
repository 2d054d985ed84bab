package io.boltshuffle.testing;

import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.Offer;
import java.nio.ByteBuffer;

/** Makes the offers of fakes, which have no queue pair: a token says what is offered. */
public final class SimOffers {
    public static final int MESSAGE_BYTES = 64 << 10;

    private static final int TOKEN_OFFSET = Long.BYTES;
    private static final int BYTES_WITHOUT_CHECKSUMS = 44;

    private SimOffers() {}

    /** Returns an offer without checksums, in messages of {@link #MESSAGE_BYTES}. */
    public static Offer of(long token, long bytes) {
        int messages = new MessageCut(bytes, MESSAGE_BYTES).count();
        ByteBuffer encoded = ByteBuffer.allocate(BYTES_WITHOUT_CHECKSUMS + Integer.BYTES * messages);
        encoded.putLong(0).putLong(token).putLong(bytes).putInt(MESSAGE_BYTES);
        encoded.putLong(0).putInt(0).putInt(messages);
        return Offer.decode(encoded.rewind());
    }

    public static long token(Offer offer) {
        ByteBuffer encoded = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(encoded);
        return encoded.getLong(TOKEN_OFFSET);
    }
}
