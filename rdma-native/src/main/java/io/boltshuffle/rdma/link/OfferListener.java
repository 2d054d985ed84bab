package io.boltshuffle.rdma.link;

/**
 * Hears when a link has let go of a range that was offered.
 *
 * <p><b>Threads:</b> called on the link's poller thread, or on one that brings it a message or takes the offer
 * back; must not block.
 */
@FunctionalInterface
public interface OfferListener {

    /**
     * The link's hold on the source range is gone: withdrawn and no longer read by the device, or the link ended. Once.
     */
    void onLetGo();
}
