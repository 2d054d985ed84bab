package io.boltshuffle.rdma.link;

import org.jspecify.annotations.Nullable;

/**
 * The failure that took a link down.
 *
 * @param reason the kind, for counting
 * @param message one line for people: what was seen, on which device, and what to do where that is known
 * @param retry what the owner may try next
 * @param cause the exception behind it, if there was one
 */
public record LinkFailure(
        Reason reason,
        String message,
        Retry retry,
        @Nullable Throwable cause) {

    /** Kinds of failure. */
    public enum Reason {
        /** The port is not ACTIVE: no cable, or the peer is off. */
        PORT_NOT_ACTIVE(Retry.BACK_OFF),
        /** The device refused a completion queue, a queue pair, or INIT. */
        SETUP_REFUSED(Retry.BACK_OFF),
        /** The two ends have no address family in common. */
        NO_COMMON_GID(Retry.AFTER_OPERATOR),
        /** The device refused RTR or RTS. The attempt leaked device resources: never retry fast. */
        CONNECT_REFUSED(Retry.BACK_OFF),
        /** The peer speaks another protocol version or moves bytes in another mode. */
        PEER_INCOMPATIBLE(Retry.AFTER_OPERATOR),
        /** The peer sent what the protocol does not allow. */
        PROTOCOL_VIOLATION(Retry.BACK_OFF),
        /** The out-of-band channel broke. */
        CHANNEL_LOST(Retry.BACK_OFF),
        /** The peer did not get ready in time. */
        SETUP_TIMEOUT(Retry.BACK_OFF),
        /** A verbs control call did not return in time; the device may be stuck until restart. */
        CONTROL_STUCK(Retry.AFTER_OPERATOR),
        /** No message size moved bytes without damage, in one link after the other. All are tried again. */
        CALIBRATION_DIRTY(Retry.BACK_OFF),
        /** A completion with an error status. */
        BAD_COMPLETION(Retry.BACK_OFF),
        /** A message of another length than agreed arrived. */
        LENGTH_MISMATCH(Retry.BACK_OFF),
        /** Bytes arrived that are not what the peer offered. */
        CHECKSUM_MISMATCH(Retry.BACK_OFF),
        /** The device refused a post. */
        POST_REFUSED(Retry.BACK_OFF),
        /** Work is posted and nothing completes: a silent peer or a dead cable. */
        STALLED(Retry.BACK_OFF),
        /** Transfers did not end in time after {@link Link#close}. */
        DRAIN_TIMEOUT(Retry.BACK_OFF),
        /** The peer took its end down and said why. */
        PEER_FAILED(Retry.BACK_OFF),
        /** A defect in this code or in a callback. */
        INTERNAL(Retry.BACK_OFF);

        private final Retry retry;

        Reason(Retry retry) {
            this.retry = retry;
        }
    }

    /** The next step that the owner may try. The link itself never tries again. */
    public enum Retry {
        /** Open a fresh link after a delay, which doubles with each failure. */
        BACK_OFF,
        /** Do not retry until an operator has changed something: a retry makes it worse or cannot succeed. */
        AFTER_OPERATOR
    }

    public static LinkFailure of(Reason reason, String message) {
        return new LinkFailure(reason, message, reason.retry, null);
    }

    public static LinkFailure of(Reason reason, String message, Throwable cause) {
        return new LinkFailure(reason, message, reason.retry, cause);
    }
}
