package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import java.util.List;

/**
 * The serving side of a link: {@link SendQueue} in send mode, {@link RemoteReads} in read mode.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
public interface Serving {

    /** The peer posted receives. */
    void granted(List<Grant> grants) throws LinkDownException;

    /** The owner wants an offer back. It is let go of when neither device has a use for it. */
    void withdraw(ServedRange served);

    /** The peer confirmed a {@link LinkMessage.Skip}. */
    void skipped(long token);

    /** The peer said {@link LinkMessage.Bye}: nothing of it is under way, and it answers nothing any more. */
    void peerFetchesNoMore();

    /** Posts what can be posted. */
    void pump() throws LinkDownException;

    /** A work request of this side completed. */
    void completed(long workRequestId) throws LinkDownException;

    /** Bytes at the device. */
    long postedBytes();

    /** True if something can only be posted when what is posted now has left. */
    boolean isHeldUp();

    /** True while something waits for the device or for the peer. */
    boolean isBusy();
}
