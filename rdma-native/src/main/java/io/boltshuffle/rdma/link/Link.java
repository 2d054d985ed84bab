package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One cable to one peer: brings remote bytes into local memory and says when every byte is verified.
 *
 * <p><b>Invariant:</b> each transfer ends exactly once, by a deadline, a failure or verified bytes. Memory that the
 * device may write into is held until it cannot any more, or quarantined. A single wrong completion, length or checksum
 * takes the whole link down: nothing after it can be trusted.
 *
 * <p><b>Threads:</b> all methods may be called from any thread and do not block, except that {@link #offer} reads the
 * range when no checksums are given.
 */
public interface Link {

    LinkState state();

    /** A message of the peer's link came in over the channel. Read before this returns; order matters. */
    void onMessage(ByteBuffer message);

    /** The channel broke: the link goes down. */
    void onChannelLost(String reason);

    /** The port is not ACTIVE any more: the link goes down before anything is posted to it again. */
    void onPortLost(String reason);

    /**
     * Bytes per message of what this link offers, as the peer's calibration found best: what precomputed checksums must
     * cover.
     *
     * @throws IllegalStateException before the link has been up
     */
    int offerMessageBytes();

    /** Returns whether its offers carry checksums. */
    boolean isSummed();

    /**
     * Lets the peer fetch a range until it is withdrawn or the link ends. If the link is down already, the listener is
     * told at once, and the offer is worth nothing.
     *
     * @param checksums CRC32C of each message of {@link #offerMessageBytes}, or null to have them computed here;
     *     without meaning on a link that does not sum
     * @throws IllegalStateException before the link has been up
     */
    Offer offer(RangePart source, int @Nullable [] checksums, OfferListener listener);

    /**
     * Ends an offer. Messages that the peer still asks for are replaced by filler and its transfer fails with {@link
     * TransferFailure.Reason#OFFER_WITHDRAWN}; other transfers go on.
     */
    void withdraw(Offer offer);

    /**
     * Brings bytes of the peer into local memory.
     *
     * @param destination as many bytes as {@code part} has; held by the link until it cannot be written any more
     * @param deadlineNanos by {@link System#nanoTime}: when to give up
     */
    Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener listener);

    LinkCounters counters();

    /**
     * Ends the link in order: no new transfers, those under way may end until the deadline. {@link
     * LinkListener#onEnded} says when it is over.
     *
     * @param deadlineNanos by {@link System#nanoTime}; what is under way then fails
     */
    void close(long deadlineNanos);
}
