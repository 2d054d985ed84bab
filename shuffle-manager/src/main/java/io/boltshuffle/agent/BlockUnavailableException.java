package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;

/** A block cannot be had from its files. */
final class BlockUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    BlockUnavailableException(FailureReason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    BlockUnavailableException(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    FailureReason reason() {
        return reason;
    }
}
