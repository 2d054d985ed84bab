package io.boltshuffle.rdma.link;

/**
 * Hears how a transfer ended: exactly one of the two methods is called, once.
 *
 * <p><b>Threads:</b> called on the link's poller thread, or on the caller's when {@link Link#fetch} refuses at once;
 * must not block.
 */
public interface TransferListener {

    /** Every byte is in the destination and has been checked; the link has let go of the destination. */
    void onVerified();

    /**
     * The bytes will not come, and what is in the destination means nothing. The link may hold the destination still:
     * it releases its hold when nothing can write there any more.
     */
    void onFailed(TransferFailure failure);
}
