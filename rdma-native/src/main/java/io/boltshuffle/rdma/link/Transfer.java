package io.boltshuffle.rdma.link;

/** A transfer under way. */
public interface Transfer {

    /**
     * Asks to stop. The listener is told {@link TransferFailure.Reason#CANCELLED} unless the transfer ends otherwise
     * first; the destination stays held until nothing can write into it. Any thread.
     */
    void cancel();
}
