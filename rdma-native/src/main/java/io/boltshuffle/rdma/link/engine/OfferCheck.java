package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.setup.Settled;
import org.jspecify.annotations.Nullable;

/** Checks that an offer of the peer fits the link over which the owner wants to fetch it. */
final class OfferCheck {

    private OfferCheck() {}

    /**
     * Returns why the offer cannot be fetched, or null if it can.
     *
     * @param settled what the ends agreed on as the link came up
     * @param summed whether this end wants checksums
     */
    static @Nullable TransferFailure refusal(Offer offer, Settled settled, boolean summed) {
        if (offer.key().session() != settled.peerSession()) {
            return invalid(offer + " was made over another link");
        }
        if (offer.messageBytes() != settled.receiving().messageBytes()) {
            return invalid(offer + " is not in messages as calibrated: " + settled.receiving());
        }
        if (summed && !offer.isSummed()) {
            return invalid(offer + " has no checksums, and this end wants them");
        }
        return null;
    }

    private static TransferFailure invalid(String why) {
        return new TransferFailure(TransferFailure.Reason.OFFER_INVALID, why, null);
    }
}
