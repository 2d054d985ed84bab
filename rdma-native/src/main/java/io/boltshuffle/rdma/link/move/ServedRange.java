package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An offer on the serving side.
 *
 * <p><b>Invariant:</b> the source is given back once, and the listener told once.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
public final class ServedRange {

    private static final Logger LOG = LoggerFactory.getLogger(ServedRange.class);

    private final long token;
    private final MessageCut cut;
    private final RangePart source;
    private final OfferListener listener;
    private int atDevice;
    private boolean withdrawn;
    private boolean holding = true;

    public ServedRange(long token, MessageCut cut, RangePart source, OfferListener listener) {
        this.token = token;
        this.cut = cut;
        this.source = source;
        this.listener = listener;
    }

    /** Returns the offer of this range that is sent to the peer. */
    public Offer offer(long session, LinkMode mode, int[] checksums) {
        Offer.Remote remote =
                mode == LinkMode.SEND ? Offer.Remote.NONE : new Offer.Remote(source.address(), source.remoteKey());
        return new Offer(new Offer.Key(session, token), cut, remote, checksums);
    }

    long token() {
        return token;
    }

    MessageCut cut() {
        return cut;
    }

    long address(int message) {
        return source.address() + cut.offset(message);
    }

    int localKey() {
        return source.localKey();
    }

    void posted() {
        atDevice++;
    }

    void completed() {
        atDevice--;
    }

    void withdraw() {
        withdrawn = true;
    }

    boolean isWithdrawn() {
        return withdrawn;
    }

    /** True if it is withdrawn and the device has no use for it any more. */
    boolean isQuiet() {
        return withdrawn && atDevice == 0;
    }

    public void release() {
        if (holding) {
            holding = false;
            source.range().release();
            tell();
        }
    }

    /** Gives the source back as memory in doubt. Must hold it. */
    RegisteredRange quarantine(String reason) {
        holding = false;
        source.range().quarantine(reason);
        tell();
        return source.range();
    }

    private void tell() {
        try {
            listener.onLetGo();
        } catch (RuntimeException e) {
            LOG.error("An offer's listener failed; the link goes on", e);
        }
    }
}
