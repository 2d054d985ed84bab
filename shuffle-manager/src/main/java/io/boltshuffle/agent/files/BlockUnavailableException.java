package io.boltshuffle.agent.files;

import io.boltshuffle.wire.FailureReason;

/** A block cannot be had from its files. */
public final class BlockUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    public BlockUnavailableException(FailureReason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public BlockUnavailableException(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public FailureReason reason() {
        return reason;
    }
}
