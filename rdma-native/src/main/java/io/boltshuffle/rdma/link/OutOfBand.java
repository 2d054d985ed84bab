package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;

/**
 * The channel beside the cable over which the two ends of a link agree, usually a TCP control connection.
 *
 * <p>It is ordered, reliable and private to one pair of links: what one link sends reaches exactly its peer, never an
 * earlier or a later link over the same cable. The owner hands what arrives to {@link Link#onMessage}, and says {@link
 * Link#onChannelLost} when the channel breaks.
 *
 * <p><b>Threads:</b> called on the link's poller thread.
 */
@FunctionalInterface
public interface OutOfBand {

    /** No message of a link is larger than this, in bytes. */
    int MAX_MESSAGE_BYTES = 64 * 1024;

    /**
     * Queues a message. Must not block.
     *
     * @param message position to limit is the message; the receiver of this call owns the buffer
     * @throws RuntimeException if the channel cannot take it: the link then goes down
     */
    void send(ByteBuffer message);
}
