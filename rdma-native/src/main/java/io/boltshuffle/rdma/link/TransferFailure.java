package io.boltshuffle.rdma.link;

import org.jspecify.annotations.Nullable;

/**
 * The failure that ended a transfer without its bytes.
 *
 * @param reason the kind, for counting
 * @param message one line for people
 * @param link why the link is down, if that is the reason and it did not close in order
 */
public record TransferFailure(
        Reason reason, String message, @Nullable LinkFailure link) {

    /** Kinds of failure. */
    public enum Reason {
        /** Its deadline passed. */
        DEADLINE,
        /** {@link Transfer#cancel} was called in time. */
        CANCELLED,
        /** The link is not up yet, or takes no new transfers. */
        LINK_NOT_UP,
        /** The link went down under it. */
        LINK_DOWN,
        /** Too many transfers at once. */
        REFUSED_BUSY,
        /** The peer withdrew the offer. */
        OFFER_WITHDRAWN,
        /** The offer does not belong to this link or breaks its limits. */
        OFFER_INVALID
    }
}
