package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;

/** The other side asked for something it may not have; the answer carries reason and message. */
final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    RefusedException(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    FailureReason reason() {
        return reason;
    }

    /** What is said to people. */
    String detail() {
        return String.valueOf(getMessage());
    }
}
