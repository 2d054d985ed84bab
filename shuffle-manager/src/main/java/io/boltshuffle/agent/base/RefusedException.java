package io.boltshuffle.agent.base;

import io.boltshuffle.wire.FailureReason;

/** The other side asked for something it may not have; the answer carries reason and message. */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    public RefusedException(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public FailureReason reason() {
        return reason;
    }

    /** Returns the text for people. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
